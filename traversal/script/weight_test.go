package script

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestWhatMethodsMakeIsCharged keeps what each built-in method returns, of small values:
// what that takes was charged.
func TestWhatMethodsMakeIsCharged(t *testing.T) {
	const times = 200
	args := valuesOf(t, 2)
	args["few"], args["one"], args["comma"] = value.Int(3), value.String("a"), value.String(",\\s")
	for name, code := range map[string]string{"same": "{ it }", "pair": "{ [it, it] }"} {
		r, err := NewSession(nil, machine.Options{}).Eval(t.Context(), code, nil)
		if err != nil {
			t.Fatal(err)
		}
		args[name] = r.Value
	}
	given := map[string]value.Value{}
	for _, name := range []string{"few", "same"} {
		given[name] = args[name]
	}
	for kind, table := range builtinTables() {
		on := calledOn(kind, args)
		for name, b := range table {
			if strings.HasSuffix(name, "sleep") || kind == "traversals" {
				continue
			}
			for i, on := range on {
				self := args[on]
				for k, list := range argumentsFor(b, given) {
					if raced.Leaves(i+k, 4) {
						continue
					}
					own := copyOf(self)
					checkKept(t, fmt.Sprintf("%s.%s on %s with %v", kind, name, on, list.names), times, func(m *machine.Machine) (value.Value, error) {
						v, _, err := machine.Methods{"it": b}.Try(m, own, "it", list.values)
						return v, err
					})
				}
			}
		}
	}
}

func checkKept(t *testing.T, what string, times int, run func(m *machine.Machine) (value.Value, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	memory := account.New(nil, "queryMemory", 64<<20)
	m := NewSession(nil, machine.Options{Account: memory}).Machine(ctx)
	kept := make([]value.Value, 0, times)
	before := allocated()
	for range times {
		v, err := run(m)
		if err != nil {
			return
		}
		kept = append(kept, v)
	}
	if allocated()-before < 2*m.Bytes+int64(48*times)+unsteady {
		return
	}
	with := heap.InUse()
	runtime.KeepAlive(kept)
	kept = nil
	taken := with - heap.InUse()
	if taken > 2*m.Bytes+int64(48*times)+unsteady {
		t.Errorf("%s: %d bytes each, charged %d", what, taken/int64(times), m.Bytes/int64(times))
	}
}

// unsteady are bytes that caches and the runtime take meanwhile.
const unsteady = 32 << 10
