package services

import (
	"encoding/json"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ListName is the name of the service that lists the others; it is what call()
// without a name reaches.
const ListName = "--list"

// List answers call("--list"): names, or with verbose their descriptions; with
// service only one; with all gremlind's own, too. extra are the host's services.
func List(params *value.Map, extra []traversal.Service) []value.Value {
	only, _ := params.GetString("service")
	verbose, _ := params.GetString("verbose")
	hidden, _ := params.GetString("all")
	var out []value.Value
	add := func(s traversal.Service) {
		if verbose.Kind() == value.KindBool && verbose.Bool() {
			out = append(out, value.String(Describe(s)))
			return
		}
		out = append(out, value.String(s.Name()))
	}
	for _, s := range append(append([]traversal.Service{}, all...), extra...) {
		own := strings.HasPrefix(s.Name(), "gremlind.")
		switch {
		case !only.IsNull():
			if only.Str() == s.Name() {
				add(s)
			}
		case !own || hidden.Kind() == value.KindBool && hidden.Bool():
			add(s)
		}
	}
	return out
}

// Describe returns a service as JSON, in the shape of TinkerPop's directory.
func Describe(s traversal.Service) string {
	var b strings.Builder
	b.WriteString(`{"name":` + quoted(s.Name()) + `,"type:[requirements]:":{`)
	for i, k := range s.Kinds() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(string(k)) + ":[]")
	}
	b.WriteString(`},"params":{`)
	for i, p := range s.Params() {
		if i > 0 {
			b.WriteByte(',')
		}
		doc := p.Doc
		if p.Type != "" {
			doc = p.Type + ": " + doc
		}
		b.WriteString(quoted(p.Name) + ":" + quoted(doc))
	}
	b.WriteString("}}")
	return b.String()
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
