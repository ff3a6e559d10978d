package lang

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// CardinalityValue is what drivers send for Cardinality.single(v).
func CardinalityValue(cardinality, v value.Value) value.Value {
	b := &traversal.Bytecode{Source: []traversal.Instruction{{
		Name: "CardinalityValueTraversal",
		Args: []value.Value{cardinality, v},
	}}}
	return b.Value()
}

// now is what datetime() stands for, in UTC.
func (p *parser) now() time.Time { return time.Now().UTC() }

// newUUID reads the form that UUID.fromString reads: five groups of hexadecimal digits.
func newUUID(s string, given bool) (uuid.UUID, error) {
	if !given {
		return uuid.NewRandom()
	}
	if len(s) != 36 {
		return uuid.UUID{}, fmt.Errorf("Invalid UUID string: %s", abbreviated(s))
	}
	u, err := uuid.Parse(s)
	if err != nil {
		return u, fmt.Errorf("Invalid UUID string: %s", s)
	}
	return u, nil
}

func (p *parser) stringOrRange() (value.Value, class, error) {
	at := p.tok.start
	s, err := p.stringText()
	if err != nil || !p.tok.is('.') {
		return value.String(s), classString, err
	}
	if err := p.rangeDots(); err != nil {
		return value.Null, 0, err
	}
	if p.tok.kind != tokenString {
		return value.Null, 0, p.unexpected("a string as the end of the range")
	}
	end, err := p.stringText()
	if err != nil {
		return value.Null, 0, err
	}
	v, err := StringRange(p.o.Meter, s, end, p.o.Limits.RangeItems)
	if err != nil {
		return value.Null, 0, p.rangeError(at, err)
	}
	return v, classList, nil
}

// rangeError tells a range that is wrong from one that the meter stopped.
func (p *parser) rangeError(at int, err error) error {
	if errors.Is(err, traversal.ErrTimeout) || errors.Is(err, account.ErrLimit) {
		p.stopped = err
		return err
	}
	return p.errorAt(at, "%v", err)
}

// rangeDots passes the two dots of a range.
func (p *parser) rangeDots() error {
	p.advance()
	return p.expect('.', ": a range has two dots")
}

func (p *parser) integerOrRange() (value.Value, class, error) {
	at := p.tok.start
	start, err := p.numeral(Integer)
	if err != nil || !p.tok.is('.') {
		return start, classInteger, err
	}
	if err := p.rangeDots(); err != nil {
		return value.Null, 0, err
	}
	if p.tok.kind != tokenInteger {
		return value.Null, 0, p.unexpected("an integer as the end of the range")
	}
	end, err := p.numeral(Integer)
	if err != nil {
		return value.Null, 0, err
	}
	if start.Kind() != value.KindInt || end.Kind() != value.KindInt {
		return value.Null, 0, p.errorAt(at, "a range needs plain integers")
	}
	v, err := IntegerRange(p.o.Meter, int32(start.Int64()), int32(end.Int64()), p.o.Limits.RangeItems)
	if err != nil {
		return value.Null, 0, p.rangeError(at, err)
	}
	return v, classList, nil
}

const itemBytes = 24 // what a range takes for an item

// IntegerRange is start..end, up or down, whose ends are at most limit apart.
func IntegerRange(meter *traversal.Meter, start, end int32, limit int) (value.Value, error) {
	first, last, step := int64(start), int64(end), int64(1)
	if first > last {
		step = -1
	}
	n := (last-first)*step + 1
	if n-1 > int64(limit) {
		return value.Null, fmt.Errorf("Range %d..%d is too wide. Current limit is %d items", start, end, limit)
	}
	if err := spend(meter, n, itemBytes*n); err != nil {
		return value.Null, err
	}
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = value.Int(int32(first + int64(i)*step))
	}
	return value.List(elems), nil
}

// StringRange is 'a'..'e': strings of one length that differ in their last character.
func StringRange(meter *traversal.Meter, start, end string, limit int) (value.Value, error) {
	if utf8.RuneCountInString(start) != utf8.RuneCountInString(end) {
		return value.Null, fmt.Errorf("The start and end of Range %s..%s does not have same number of characters", abbreviated(start), abbreviated(end))
	}
	if start == "" {
		return value.List(nil), nil
	}
	first, n := utf8.DecodeLastRuneInString(start)
	last, m := utf8.DecodeLastRuneInString(end)
	prefix := start[:len(start)-n]
	if prefix != end[:len(end)-m] {
		return value.Null, fmt.Errorf("The start and end of Range %s..%s does not share same prefix until the last character", abbreviated(start), abbreviated(end))
	}
	step := rune(1)
	if first > last {
		step = -1
	}
	items := int((last-first)*step) + 1
	if items > limit || items*len(prefix) > 1<<26 {
		return value.Null, fmt.Errorf("Range %s..%s is too wide. Current limit is %d items", abbreviated(start), abbreviated(end), limit)
	}
	if err := spend(meter, int64(items), int64(items)*int64(itemBytes+len(prefix)+utf8.UTFMax)); err != nil {
		return value.Null, err
	}
	elems := make([]value.Value, items)
	for i := range elems {
		elems[i] = value.String(prefix + string(first+rune(i)*step))
	}
	return value.List(elems), nil
}

func spend(m *traversal.Meter, work, bytes int64) error {
	if err := m.Keep(int(bytes)); err != nil {
		return err
	}
	return m.Work(int(work))
}

func (p *parser) set() (value.Value, class, error) {
	if err := p.enter(); err != nil {
		return value.Null, 0, err
	}
	defer p.leave()
	p.advance()
	set := value.NewSet()
	for !p.tok.is('}') {
		v, err := p.literal("a set")
		if err != nil {
			return value.Null, 0, err
		}
		set.Add(v)
		if err := p.separator('}', "set"); err != nil {
			return value.Null, 0, err
		}
	}
	p.advance()
	return set.Value(), classSet, nil
}

// separator passes a comma that another element follows; else the end must be there.
func (p *parser) separator(end byte, of string) error {
	if p.tok.is(end) {
		return nil
	}
	if !p.tok.is(',') {
		return p.unexpected(fmt.Sprintf("',' or '%c' in a %s", end, of))
	}
	p.advance()
	if p.tok.is(end) {
		return p.unexpected("a value behind the comma in a " + of)
	}
	return nil
}

// listOrMap reads [..]; a colon behind the first element makes it a map.
func (p *parser) listOrMap() (value.Value, class, error) {
	if err := p.enter(); err != nil {
		return value.Null, 0, err
	}
	defer p.leave()
	p.advance()
	if p.tok.is(':') {
		p.advance()
		if err := p.expect(']', ": the empty map is [:]"); err != nil {
			return value.Null, 0, err
		}
		return value.NewMap().Value(), classMap, nil
	}
	base := len(p.args)
	for !p.tok.is(']') {
		v, isKey, err := p.elementOrKey()
		if err != nil {
			return value.Null, 0, err
		}
		if len(p.args) == base && (isKey || p.tok.is(':')) {
			m, err := p.mapFrom(v)
			return m, classMap, err
		}
		if isKey {
			return value.Null, 0, p.errorAt(p.tok.start, "a list cannot hold an entry with a key")
		}
		p.args = append(p.args, v)
		if err := p.separator(']', "list"); err != nil {
			return value.Null, 0, err
		}
	}
	p.advance()
	return value.List(p.takeArgs(base)), classList, nil
}

// elementOrKey reads an element of a list or a key of a map. isKey is set when only
// a key has this form: a bare name before a colon, or parentheses.
func (p *parser) elementOrKey() (v value.Value, isKey bool, err error) {
	if p.tok.kind == tokenName && p.peek().punct == ':' {
		if s := p.text(); s != "NaN" && s != "Infinity" && s != "__" {
			p.advance()
			return value.String(s), true, nil
		}
	}
	if !p.tok.is('(') {
		v, err = p.literal("a list")
		return v, false, err
	}
	p.advance()
	v, err = p.literal("a list")
	if err == nil {
		err = p.expect(')', " behind the key")
	}
	return v, true, err
}

// mapFrom reads the rest of a map whose first key has been read.
func (p *parser) mapFrom(key value.Value) (value.Value, error) {
	m := value.NewMap()
	for {
		if k := key.Kind(); !isMapKey(k) {
			return value.Null, p.errorAt(p.tok.start, "%s cannot be the key of a map", strings.ToLower(k.String()))
		}
		if err := p.expect(':', " behind the key"); err != nil {
			return value.Null, err
		}
		v, err := p.literal("a map")
		if err != nil {
			return value.Null, err
		}
		m.Put(key, v)
		if err := p.separator(']', "map"); err != nil {
			return value.Null, err
		}
		if p.tok.is(']') {
			p.advance()
			return m.Value(), nil
		}
		if key, _, err = p.elementOrKey(); err != nil {
			return value.Null, err
		}
	}
}

func isMapKey(k value.Kind) bool {
	switch k {
	case value.KindT, value.KindDirection, value.KindSet, value.KindList, value.KindMap, value.KindString:
		return true
	}
	return k.IsNumber()
}
