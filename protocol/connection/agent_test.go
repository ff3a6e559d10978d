package connection

import "testing"

func TestOldDriversGetNullProperties(t *testing.T) {
	for agent, want := range map[string]bool{
		"NotAvailable Gremlin-Python.3.5.8 3.9 Linux": true, "app Gremlin-Go.3.6.2 go1.20": true,
		"NotAvailable Gremlin-Go.3.8.1": false, "x Gremlin-Java.3.5.5": false, "": false,
		"NotAvailable Gremlin-Python.3.7.0": false, "Gremlin-Javascript.3.6.8": true,
	} {
		if got := parseAgent(agent).nullProperties; got != want {
			t.Errorf("%q: %v", agent, got)
		}
	}
}
