package text

import (
	"unicode"
	"unicode/utf16"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// textOp is the Data of the steps that work on strings.
type textOp struct {
	local bool
	apply textFunc
}

// textFunc works on one string.
type textFunc func(r *traversal.Run, s string) (value.Value, error)

// textStep declares a step on strings. prepare gets the arguments behind the Scope.
func textStep(name, class, doc string, prepare func(n *traversal.Node, args []traversal.Arg) (textFunc, error)) traversal.Spec {
	s := traversal.Spec{Name: name, Class: class, Doc: doc}
	s.Prepare = func(n *traversal.Node) error {
		local, args := step.CutScope(n)
		f, err := prepare(n, args)
		n.Data = &textOp{local: local, apply: f}
		return err
	}
	return step.Mapped(s, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
		op := n.Data.(*textOp)
		if op.local {
			return func(t *traversal.Traverser) (value.Value, bool, error) { return op.applyLocal(r, name, t.Value) }, nil
		}
		return func(t *traversal.Traverser) (value.Value, bool, error) { return op.applyGlobal(r, name, t.Value) }, nil
	})
}

func (o *textOp) applyGlobal(r *traversal.Run, name string, v value.Value) (value.Value, bool, error) {
	switch v.Kind() {
	case value.KindNull:
		return v, true, nil
	case value.KindString:
		x, err := o.apply(r, v.Str())
		return x, err == nil, err
	}
	return value.Null, false, step.IllegalArgument("The %s() step can only take string as argument, encountered %s", name, step.ClassName(v))
}

// applyLocal works on each string of a collection, too.
func (o *textOp) applyLocal(r *traversal.Run, name string, v value.Value) (value.Value, bool, error) {
	list, ok, err := step.Iterable(r, v)
	if err != nil {
		return value.Null, false, err
	}
	if !ok {
		if !v.IsNull() && v.Kind() != value.KindString {
			return value.Null, false, step.IllegalArgument("The %s(local) step can only take string or list of strings, encountered %s", name, step.ClassName(v))
		}
		return o.applyGlobal(r, name, v)
	}
	out := make([]value.Value, len(list))
	for i, e := range list {
		if err := r.Poll(); err != nil {
			return value.Null, false, err
		}
		switch e.Kind() {
		case value.KindNull:
		case value.KindString:
			x, err := o.apply(r, e.Str())
			if err != nil {
				return value.Null, false, err
			}
			out[i] = x
		default:
			return value.Null, false, step.IllegalArgument("The %s(local) step can only take string or list of strings, encountered %s in list", name, step.ClassName(e))
		}
	}
	return value.List(out), true, nil
}

// noArgs refuses arguments behind the Scope.
func noArgs(n *traversal.Node, args []traversal.Arg) error {
	if len(args) > 0 {
		return step.IllegalArgument("%s() takes no arguments but a Scope", n.Name())
	}
	return nil
}

// stringArg returns an argument that is a String or null.
func stringArg(n *traversal.Node, args []traversal.Arg, i int) (s string, null bool, err error) {
	if i >= len(args) {
		return "", false, step.IllegalArgument("%s() needs %d arguments", n.Name(), i+1)
	}
	v := args[i].Value
	if args[i].Child != nil || v.Kind() != value.KindString && !v.IsNull() {
		return "", false, step.IllegalArgument("%s() takes a String, not %s", n.Name(), v.Brief())
	}
	return v.Str(), v.IsNull(), nil
}

// Strings are UTF-16 to Java: lengths and positions count units, and a character cut
// in two becomes two question marks when it leaves as UTF-8.

// units returns s in UTF-16, nil when s is ASCII and bytes will do.
func units(s string) []uint16 {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return utf16.Encode([]rune(s))
		}
	}
	return nil
}

// unitLength is Java's String.length().
func unitLength(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}

// fromUnits turns UTF-16 back into text, halves of characters into question marks.
func fromUnits(u []uint16) string {
	out := make([]rune, 0, len(u))
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if utf16.IsSurrogate(r) {
			var next rune
			if i+1 < len(u) {
				next = rune(u[i+1])
			}
			if d := utf16.DecodeRune(r, next); d != unicode.ReplacementChar {
				out = append(out, d)
				i++
				continue
			}
			r = '?'
		}
		out = append(out, r)
	}
	return string(out)
}

// isWhitespace is Character.isWhitespace: the spaces of Unicode that may be broken
// at, and some control characters.
func isWhitespace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0x1C, 0x1D, 0x1E, 0x1F:
		return true
	case 0xA0, 0x2007, 0x202F:
		return false
	}
	return unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp)
}
