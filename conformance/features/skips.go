package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// skips lists what is not run: file, line, name, form ("text", "bytecode" or "both")
// and the reason, separated by tabs.
//
//go:embed skips.tsv
var skipList string

// readSkips returns the reasons by scenario and form.
func readSkips() (map[string]string, error) {
	reasons := map[string]string{}
	for i, l := range strings.Split(skipList, "\n") {
		if l == "" || l[0] == '#' {
			continue
		}
		cols := strings.Split(l, "\t")
		if len(cols) != 5 {
			return nil, fmt.Errorf("skips.tsv:%d: want file, line, name, form and reason", i+1)
		}
		key := strings.Join(cols[:3], "\t")
		if cols[3] == "both" {
			reasons[key+"\ttext"], reasons[key+"\tbytecode"] = cols[4], cols[4]
		} else {
			reasons[key+"\t"+cols[3]] = cols[4]
		}
	}
	return reasons, nil
}
