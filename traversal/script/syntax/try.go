package syntax

import (
	"errors"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// handler is one catch.
type handler struct {
	classes []string
	ref     *machine.Reference
	body    machine.Statement
}

func (p *parser) tryStatement() (machine.Statement, error) {
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
	var finally machine.Statement
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
		if p.Is(")") && len(h.classes) == 0 {
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
	p.open(&machine.Block{})
	defer p.close()
	h.ref = p.declare(name)
	h.body, err = p.block()
	return h, err
}

func guarded(body machine.Statement, handlers []handler, finally machine.Statement) machine.Statement {
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, sig, err := body(f)
		if err != nil && machine.Catchable(err) {
			if stopped := f.Machine.Poll(); stopped != nil { // placing an error in the text takes a while
				return v, sig, stopped
			}
			x := exceptionOf(err)
			for _, h := range handlers {
				if !x.IsAny(h.classes) {
					continue
				}
				*f.Slot(h.ref) = value.Object(value.KindForeign, x)
				v, sig, err = h.body(f)
				break
			}
		}
		if finally != nil && (err == nil || machine.Catchable(err)) {
			if w, s, ferr := finally(f); ferr != nil || s != machine.Normal {
				return w, s, ferr
			}
		}
		return v, sig, err
	}
}

// exceptionOf makes what a catch sees of an error.
func exceptionOf(err error) *machine.Exception {
	x := &machine.Exception{Class: "java.lang.RuntimeException", Message: err.Error(), Err: machine.Caught(err)}
	var named interface{ JavaClass() string }
	if errors.As(err, &named) {
		x.Class = named.JavaClass()
	}
	return x
}
