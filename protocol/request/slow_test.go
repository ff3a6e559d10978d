package request

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
)

// TestTook_Texts: what steps took is short in a log, however many and long they are.
func TestTook_Texts(t *testing.T) {
	two := took{{Step: "V()", Time: 1500 * time.Microsecond, Rows: 6}, {Step: "out()", Time: time.Second, Rows: 1 << 40}}
	text, err := two.MarshalText()
	if want := "V(): 1.500 ms, 6 rows; out(): 1000.000 ms, 1099511627776 rows"; string(text) != want || err != nil {
		t.Errorf("%s, want %s", text, want)
	}
	list, err := json.Marshal(two)
	if want := `[{"step":"V()","ms":1.5,"rows":6},{"step":"out()","ms":1000,"rows":1099511627776}]`; string(list) != want || err != nil {
		t.Errorf("%s, want %s", list, want)
	}
	long := make(took, 1000)
	for i := range long {
		long[i] = contract.Took{Step: strings.Repeat("é", 1000)}
	}
	text, _ = long.MarshalText()
	list, _ = json.Marshal(long)
	if len(text) > planBytes || len(list) > stepsLogged*(2*stepBytes+60) {
		t.Errorf("%d and %d bytes", len(text), len(list))
	}
}
