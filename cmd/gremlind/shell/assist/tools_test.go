package assist

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gremlind/gremlind/storage/value"
)

// TestRead_Arguments: arguments within the bounds are taken, others become the bounds, and what
// is no argument is refused by its name.
func TestRead_Arguments(t *testing.T) {
	s := &Server{o: Options{Rows: 100, Timeout: 10 * time.Second}}
	names := []string{"query", "bindings", "limit", "timeout_seconds"}
	for _, c := range []struct {
		raw     string
		names   []string
		limit   int
		timeout float64
		want    string // of the error
	}{
		{`{"query": "g.V()"}`, names, 100, 10, ""},
		{`{"query": "g.V()", "limit": 7, "timeout_seconds": 2.5, "bindings": {"x": 1}}`, names, 7, 2.5, ""},
		{`{"query": "g.V()", "limit": 101, "timeout_seconds": 11}`, names, 100, 10, ""},
		{`{"query": "g.V()", "limit": -1, "timeout_seconds": 0}`, names, 100, 10, ""},
		{"", nil, 100, 10, ""},
		{" {} ", nil, 100, 10, ""},
		{"{}", names, 0, 0, "the argument query is missing"},
		{`{"query": " \n"}`, names, 0, 0, "the argument query is missing"},
		{`{"query": "g.V()"}`, nil, 0, 0, `there is no argument "query": call takes none`},
		{`{"quer": "g.V()"}`, names, 0, 0, `there is no argument "quer": call takes query, bindings, limit, timeout_seconds`},
		{`{"query": 1}`, names, 0, 0, "the argument query cannot be a number"},
		{"[]", names, 0, 0, "the arguments are an object"},
		{`{"query": "g.V()", "bindings": 1}`, names, 0, 0, "bindings"},
	} {
		a, bindings, err := s.read(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "call", Arguments: json.RawMessage(c.raw)}}, c.names...)
		switch {
		case c.want != "":
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.raw, err, c.want)
			}
		case err != nil || a.Limit != c.limit || a.Timeout != c.timeout:
			t.Errorf("%s: %+v, %v", c.raw, a, err)
		case strings.Contains(c.raw, "bindings") != (bindings.Len() == 1):
			t.Errorf("%s: %d bindings", c.raw, bindings.Len())
		}
	}
}

// TestTypes names the types of values as Java does, without packages.
func TestTypes(t *testing.T) {
	property := func(key string, v any) value.Value {
		m := value.NewMap()
		m.PutString("key", value.String(key))
		m.PutString("value", value.Of(v))
		return m.Value()
	}
	got := types([]value.Value{property("name", "a"), property("age", 29), property("weight", 0.5), property("all", []any{1})})
	for key, want := range map[string]string{"name": "String", "age": "Integer", "weight": "Double", "all": "ArrayList"} {
		if got[key] != want {
			t.Errorf("%s: %q, want %q", key, got[key], want)
		}
	}
}
