package token

import (
	"fmt"
	"slices"
	"strings"
)

// find returns a claim by its name, or by the names of the objects around it with dots
// between; nil when it is not there.
func find(claims map[string]any, name string) any {
	if c, ok := claims[name]; ok {
		return c
	}
	outer, inner, ok := strings.Cut(name, ".")
	if !ok {
		return nil
	}
	object, _ := claims[outer].(map[string]any)
	return find(object, inner)
}

// namesMax bounds the names of a claim: each is looked up at every login.
const namesMax = 256

// texts reads a claim that is a list of texts, or one text with spaces or commas; nil when
// it is not there. One that is there and says nothing is refused: nothing means all
// elsewhere.
func texts(claims map[string]any, name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	var list []string
	switch c := find(claims, name).(type) {
	case nil:
		if present(claims, name) {
			return nil, fmt.Errorf("its claim %s is null", name)
		}
		return nil, nil
	case string:
		list = strings.FieldsFunc(c, func(r rune) bool { return r == ' ' || r == ',' })
	case []any:
		for _, e := range c {
			text, ok := e.(string)
			if !ok || text == "" {
				return nil, fmt.Errorf("its claim %s holds something else than names", name)
			}
			list = append(list, text)
		}
	default:
		return nil, fmt.Errorf("its claim %s is neither a list nor a text", name)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	switch {
	case len(list) == 0:
		return nil, fmt.Errorf("its claim %s is empty", name)
	case len(list) > namesMax:
		return nil, fmt.Errorf("its claim %s has more than %d names", name, namesMax)
	}
	return list, nil
}

// present reports whether a claim is there, if only as null.
func present(claims map[string]any, name string) bool {
	if _, ok := claims[name]; ok {
		return true
	}
	outer, inner, ok := strings.Cut(name, ".")
	object, isObject := claims[outer].(map[string]any)
	return ok && isObject && present(object, inner)
}
