package engine

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// BenchmarkSource_Fixed answers a small request on sources whose strategies the server fixed.
func BenchmarkSource_Fixed(b *testing.B) {
	e := configured(b, `def globals = [:]
globals << [g: traversal().withEmbedded(graph)]
globals << [gro: traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]
globals << [gpart: traversal().withEmbedded(graph).withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: 'a', readPartitions: ['a']))]
globals << [gpeople: traversal().withEmbedded(graph).withStrategies(new SubgraphStrategy(vertices: hasLabel('person')))]
globals`)
	code := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V", Args: []value.Value{value.Int(1)}}, {Name: "values", Args: []value.Value{value.String("age")}}}}
	for _, source := range []string{"g", "gro", "gpart", "gpeople"} {
		b.Run(source, func(b *testing.B) {
			for b.Loop() {
				auto(b, e, &contract.Query{Bytecode: code, Source: source})
			}
		})
	}
}
