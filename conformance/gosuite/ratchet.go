package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// key identifies a scenario; names are not unique, not even within a file.
func (r result) key() string { return fmt.Sprintf("%s\t%d\t%s", r.file, r.line, r.name) }

// ratchet compares with the list of scenarios that passed before. The list only
// grows: update adds to it and never removes.
func ratchet(w io.Writer, list string, results []result, update bool) error {
	b, err := os.ReadFile(list)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read list of passed scenarios: %w", err)
	}
	before := map[string]bool{}
	for _, l := range strings.Split(string(b), "\n") {
		if l != "" {
			before[l] = true
		}
	}
	var broken, fresh []string
	for _, r := range results {
		switch {
		case r.status == passed && !before[r.key()]:
			fresh = append(fresh, r.key())
		case r.status != passed && before[r.key()]:
			broken = append(broken, r.key())
		}
	}
	if update && len(fresh) > 0 {
		if err := appendList(list, before, fresh); err != nil {
			return err
		}
	}
	if len(fresh) > 0 {
		fmt.Fprintf(w, "%d scenarios pass for the first time\n", len(fresh))
	}
	if len(broken) > 0 {
		return fmt.Errorf("%d scenarios passed before and do not now:\n%s", len(broken), strings.Join(broken, "\n"))
	}
	return nil
}

func appendList(list string, before map[string]bool, fresh []string) error {
	all := fresh
	for k := range before {
		all = append(all, k)
	}
	sort.Strings(all)
	if err := os.WriteFile(list, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
		return fmt.Errorf("write list of passed scenarios: %w", err)
	}
	return nil
}
