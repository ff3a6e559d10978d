package contract

import (
	"testing"

	"github.com/gremlind/gremlind/traversal"
)

func TestQuery_Resolve(t *testing.T) {
	aliases := map[string]string{"g": "gmodern", "x": "graph"}
	script := Query{Aliases: aliases, Source: "gcrew"}
	bytecode := Query{Aliases: aliases, Source: "gcrew", Bytecode: &traversal.Bytecode{}}
	for _, x := range []struct {
		q          *Query
		name, want string
	}{
		{&script, "g", "gmodern"}, {&script, "x", "graph"}, {&script, "gcrew", "gcrew"}, {&Query{}, "g", "g"},
		{&bytecode, "g", "gcrew"}, {&bytecode, "x", "graph"}, {&bytecode, "y", "y"},
	} {
		if got := x.q.Resolve(x.name); got != x.want {
			t.Errorf("%s of a query in bytecode (%t): %s, want %s", x.name, x.q.IsBytecode(), got, x.want)
		}
	}
	if script.Code() != nil || bytecode.Code() != bytecode.Bytecode {
		t.Error("the bytecode of a query is another one")
	}
}
