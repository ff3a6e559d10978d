package explorer

import (
	"bytes"
	"encoding/json"
)

// Word is what the editor may propose.
type Word struct {
	Text string `json:"text"`
	Doc  string `json:"doc"`  // a line
	Kind string `json:"kind"` // steps, or a class as P
}

// Words are what the editor may propose whatever the graph is.
type Words struct {
	Start      []Word            `json:"start"` // behind a source
	Inner      []Word            `json:"inner"` // behind a step
	Predicates []Word            `json:"predicates"`
	Enums      map[string][]Word `json:"enums"` // by class
}

// module is the words as a module of JavaScript.
func (w Words) module() []byte {
	var b bytes.Buffer
	b.WriteString("export const words = ")
	// There is nothing in Words that cannot be written, and no failing Buffer.
	_ = json.NewEncoder(&b).Encode(w)
	return b.Bytes()
}
