package script

import (
	"errors"

	"github.com/gremlind/gremlind/storage/value"
)

// handler is one catch.
type handler struct {
	classes []string
	ref     *reference
	body    statement
}

func (p *parser) tryStatement() (statement, error) {
	p.advance()
	body, _, err := p.body(false)
	if err != nil {
		return nil, err
	}
	var handlers []handler
	for p.word("catch") {
		h, err := p.catch()
		if err != nil {
			return nil, err
		}
		handlers = append(handlers, h)
	}
	var finally statement
	if p.word("finally") {
		p.advance()
		if finally, _, err = p.body(false); err != nil {
			return nil, err
		}
	}
	return guarded(body, handlers, finally), nil
}

// catch reads catch (Type | Type name) { .. }.
func (p *parser) catch() (h handler, err error) {
	p.advance()
	if err = p.expect("("); err != nil {
		return h, err
	}
	name := ""
	for {
		if name, err = p.dottedName(); err != nil {
			return h, err
		}
		if p.is(")") && len(h.classes) == 0 {
			break // catch (e)
		}
		h.classes = append(h.classes, name)
		if !p.accept("|") {
			if name, err = p.name(); err != nil {
				return h, err
			}
			break
		}
	}
	if err = p.expect(")"); err != nil {
		return h, err
	}
	p.open(&scope{})
	defer p.close()
	h.ref = p.declare(name)
	h.body, err = p.block()
	return h, err
}

func guarded(body statement, handlers []handler, finally statement) statement {
	return func(f *frame) (value.Value, signal, error) {
		v, sig, err := body(f)
		if err != nil && catchable(err) {
			if stopped := f.m.poll(); stopped != nil { // placing an error in the text takes a while
				return v, sig, stopped
			}
			x := exceptionOf(err)
			for _, h := range handlers {
				if !x.isAny(h.classes) {
					continue
				}
				*f.slot(h.ref) = value.Object(value.KindForeign, x)
				v, sig, err = h.body(f)
				break
			}
		}
		if finally != nil && (err == nil || catchable(err)) {
			if w, s, ferr := finally(f); ferr != nil || s != normal {
				return w, s, ferr
			}
		}
		return v, sig, err
	}
}

// exceptionOf makes what a catch sees of an error.
func exceptionOf(err error) *exception {
	x := &exception{class: "java.lang.RuntimeException", message: err.Error(), err: err}
	var named interface{ JavaClass() string }
	if errors.As(err, &named) {
		x.class = named.JavaClass()
	}
	return x
}
