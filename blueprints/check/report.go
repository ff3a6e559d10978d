package check

import (
	"fmt"
	"io"
	"slices"

	"github.com/gremlind/gremlind/storage/table"
)

// Problem is one contradiction.
type Problem struct {
	Invariant string `json:"invariant"` // I1 ... I16, see the package comment, or "note"
	Key       string `json:"key"`       // as table.Describe writes it
	Text      string `json:"text"`
}

// String is one line.
func (p Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.Invariant, p.Key, p.Text) }

// problemsMax is how many problems a Report spells out.
const problemsMax = 1000

// Report is what a check found.
type Report struct {
	Graph      string `json:"graph"`
	Seq        uint64 `json:"commit"` // of the snapshot that was read
	Keys       int64  `json:"keys"`
	Vertices   int64  `json:"vertices"`
	Edges      int64  `json:"edges"`
	Properties int64  `json:"properties"`
	Entries    int64  `json:"indexEntries"`
	// Found counts all problems; Problems spells out the first of them.
	Found    int64     `json:"found"`
	Problems []Problem `json:"problems,omitempty"`
	// Noted counts what is no contradiction but surprises; Notes spells out the first.
	Noted int64     `json:"noted,omitempty"`
	Notes []Problem `json:"notes,omitempty"`
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool { return r.Found == 0 }

func (r *Report) add(invariant string, key []byte, format string, args ...any) {
	r.Found++
	if len(r.Problems) < problemsMax {
		r.Problems = append(r.Problems, Problem{invariant, table.Describe(key), fmt.Sprintf(format, args...)})
	}
}

func (r *Report) note(key []byte, format string, args ...any) {
	r.Noted++
	if len(r.Notes) < problemsMax {
		r.Notes = append(r.Notes, Problem{"note", table.Describe(key), fmt.Sprintf(format, args...)})
	}
}

// Write prints the report for a person.
func (r *Report) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "graph %s at commit %d: %d keys, %d vertices, %d edges, %d properties, %d index entries\n",
		r.Graph, r.Seq, r.Keys, r.Vertices, r.Edges, r.Properties, r.Entries)
	for _, p := range slices.Concat(r.Problems, r.Notes) {
		if err == nil {
			_, err = fmt.Fprintln(w, p)
		}
	}
	if err == nil && r.Noted > 0 {
		_, err = fmt.Fprintf(w, "%d notes\n", r.Noted)
	}
	switch {
	case err != nil:
	case r.OK():
		_, err = fmt.Fprintln(w, "no problems")
	default:
		_, err = fmt.Fprintf(w, "%d problems\n", r.Found)
	}
	return err
}
