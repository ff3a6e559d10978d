package connection

import (
	"strconv"
	"strings"
)

// agent is what the User-Agent of a driver tells.
type agent struct {
	// nullProperties is set for drivers that cannot read elements with properties.
	nullProperties bool
}

// parseAgent reads "App Gremlin-Python.3.5.8 ...". Python, Go and JavaScript drivers
// before 3.7 read GraphBinary elements only with null properties.
func parseAgent(s string) agent {
	for _, driver := range []string{"Gremlin-Python.", "Gremlin-Go.", "Gremlin-Javascript."} {
		_, version, ok := strings.Cut(s, driver)
		if !ok {
			continue
		}
		major, rest, _ := strings.Cut(version, ".")
		minor, _, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(minor)
		return agent{nullProperties: major == "3" && err == nil && n < 7}
	}
	return agent{}
}
