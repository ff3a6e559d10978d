package graphson

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

// Decoder turns Nodes into values. It serves one message.
type Decoder struct {
	Form
	// Extend reads the types that this package does not know; ok is false for types
	// that it does not know either.
	Extend func(d *Decoder, typ string, n *Node) (v value.Value, ok bool, err error)

	depth int
}

// Value reads a value; an absent Node is Null.
func (d *Decoder) Value(n *Node) (value.Value, error) {
	if d.depth++; d.depth > MaxDepth {
		return value.Null, errDepth
	}
	defer func() { d.depth-- }()
	switch n.Kind() {
	case NodeNull:
		return value.Null, nil
	case NodeTrue, NodeFalse:
		return value.Bool(n.kind == NodeTrue), nil
	case NodeString:
		return value.String(n.text), nil
	case NodeNumber:
		return Number(n.text)
	case NodeArray:
		if class := n.class(); class != "" && d.classed() {
			return d.classedValue(class, n.Elem(1))
		}
		elems, err := d.elems(n)
		return value.List(elems), err
	}
	return d.object(n)
}

// class returns the Java class of ["class", value], "" for other arrays.
func (n *Node) class() string {
	if n.Len() == 2 && n.kids[0].kind == NodeString {
		if _, ok := kindsByClass[n.kids[0].text]; ok {
			return n.kids[0].text
		}
	}
	return ""
}

func (d *Decoder) object(n *Node) (value.Value, error) {
	if d.tagged() {
		if typ := n.Field("@type"); typ.Kind() == NodeString {
			v := n.Field("@value")
			if v == nil {
				return value.Null, fmt.Errorf("%s has no @value", typ.text)
			}
			if n.Len() > 2 {
				return value.Null, fmt.Errorf("%s has fields beside @type and @value", typ.text)
			}
			return d.typed(typ.text, v)
		}
	}
	if class := n.Field("@class"); d.classed() && class.Kind() == NodeString {
		if k := kindsByClass[class.text]; k >= value.KindDate && k <= value.KindYearMonth {
			return scalar(k, n.Field("value"))
		}
	}
	m, err := d.Map(n)
	return m.Value(), err
}

// Map reads an object as a map with string keys; version 1's @class is no entry.
func (d *Decoder) Map(n *Node) (*value.Map, error) {
	m := value.NewMapSize(min(n.Len(), 1024))
	for i := range n.Len() {
		k, x := n.Entry(i)
		if k == "@class" && d.classed() {
			continue
		}
		v, err := d.Value(x)
		if err != nil {
			return m, err
		}
		m.PutString(k, v)
	}
	return m, nil
}

func (d *Decoder) elems(n *Node) ([]value.Value, error) {
	if err := n.expect(NodeArray, "a collection"); err != nil {
		return nil, err
	}
	out := make([]value.Value, n.Len())
	for i := range out {
		var err error
		if out[i], err = d.Value(n.Elem(i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// typed reads @value by @type.
func (d *Decoder) typed(typ string, n *Node) (value.Value, error) {
	k, ok := kindsByType[typ]
	if !ok {
		if d.Extend != nil {
			if v, ok, err := d.Extend(d, typ, n); ok {
				return v, err
			}
		}
		return value.Null, fmt.Errorf("unknown GraphSON type %q", typ)
	}
	return d.ofKind(k, n)
}

func (d *Decoder) classedValue(class string, n *Node) (value.Value, error) {
	if n.Kind() == NodeNull {
		return value.Null, nil
	}
	return d.ofKind(kindsByClass[class], n)
}

func (d *Decoder) ofKind(k value.Kind, n *Node) (value.Value, error) {
	switch k {
	case value.KindList:
		elems, err := d.elems(n)
		return value.List(elems), err
	case value.KindSet:
		elems, err := d.elems(n)
		return value.NewSet(elems...).Value(), err
	case value.KindMap:
		return d.flatMap(n)
	case value.KindBulkSet:
		return d.bulkSet(n)
	case value.KindVertex, value.KindEdge, value.KindVertexProperty, value.KindProperty,
		value.KindPath, value.KindTree, value.KindGraph:
		return d.structure(k, n)
	}
	return scalar(k, n)
}

// flatMap reads keys and values in turn.
func (d *Decoder) flatMap(n *Node) (value.Value, error) {
	if n.Kind() == NodeObject {
		m, err := d.Map(n)
		return m.Value(), err
	}
	elems, err := d.elems(n)
	if err != nil {
		return value.Null, err
	}
	if len(elems)%2 != 0 {
		return value.Null, errors.New("g:Map has a key without a value")
	}
	m := value.NewMapSize(len(elems) / 2)
	for i := 0; i < len(elems); i += 2 {
		m.Put(elems[i], elems[i+1])
	}
	return m.Value(), nil
}

func (d *Decoder) bulkSet(n *Node) (value.Value, error) {
	elems, err := d.elems(n)
	if err != nil {
		return value.Null, err
	}
	s := value.NewBulkSet()
	if d.Version < 3 {
		for _, e := range elems {
			s.Add(e, 1)
		}
		return s.Value(), nil
	}
	for i := 0; i < len(elems); i += 2 {
		if i+1 == len(elems) || !elems[i+1].Kind().IsNumber() {
			return value.Null, errors.New("g:BulkSet has a value without a bulk")
		}
		bulk := value.AsInt64(elems[i+1])
		if bulk < 1 || s.Size()+bulk < bulk {
			return value.Null, fmt.Errorf("bulk %d of a g:BulkSet is out of range", bulk)
		}
		s.Add(elems[i], bulk)
	}
	return s.Value(), nil
}

// Number reads an untyped number: Int, Long or BigInteger by size, else Double.
func Number(text string) (value.Value, error) {
	if !strings.ContainsAny(text, ".eE") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			if n == int64(int32(n)) {
				return value.Int(int32(n)), nil
			}
			return value.Long(n), nil
		}
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return value.Null, fmt.Errorf("%q is no number", text)
		}
		return value.BigInt(n), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return value.Null, fmt.Errorf("%q is no number", text)
	}
	return value.Double(f), nil
}

// scalar reads the value of a kind without parts.
func scalar(k value.Kind, n *Node) (value.Value, error) {
	if n.Kind() == NodeNull {
		return value.Null, nil
	}
	if n.Kind() != NodeNumber && n.Kind() != NodeString {
		return value.Null, fmt.Errorf("%s is %s", typeNames[k], n.Kind())
	}
	switch k {
	case value.KindByte:
		return whole(k, n, 8)
	case value.KindShort:
		return whole(k, n, 16)
	case value.KindInt:
		return whole(k, n, 32)
	case value.KindLong:
		return whole(k, n, 64)
	case value.KindFloat, value.KindDouble:
		return floating(k, n)
	case value.KindBigInteger, value.KindBigDecimal:
		return big10(k, n)
	case value.KindDate, value.KindTimestamp:
		v, err := whole(value.KindLong, n, 64)
		if err != nil {
			return value.Null, fmt.Errorf("%s: %w", typeNames[k], err)
		}
		if k == value.KindDate {
			return value.Date(time.UnixMilli(v.Int64())), nil
		}
		return value.Timestamp(time.UnixMilli(v.Int64())), nil
	}
	if k.IsEnum() {
		if v, ok := value.ParseEnum(k, n.text); ok {
			return v, nil
		}
		return value.Null, fmt.Errorf("%s has no constant %q", k, n.text)
	}
	if k >= value.KindInstant && k <= value.KindYearMonth {
		return value.ParseTime(k, n.text)
	}
	return textual(k, n.text)
}

// textual reads the kinds that stand as text.
func textual(k value.Kind, s string) (value.Value, error) {
	switch k {
	case value.KindString:
		return value.String(s), nil
	case value.KindClass:
		return value.Class(s), nil
	case value.KindChar:
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || size != len(s) {
			return value.Null, fmt.Errorf("gx:Char is %q, not one character", s)
		}
		return value.Char(r), nil
	case value.KindUUID:
		u, err := uuid.Parse(s)
		if err != nil || len(s) != 36 {
			return value.Null, fmt.Errorf("g:UUID %q is not of the 36-character form", s)
		}
		return value.UUID(u), nil
	case value.KindBinary:
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return value.Null, fmt.Errorf("gx:ByteBuffer: %w", err)
		}
		return value.Binary(b), nil
	case value.KindInetAddress:
		a, err := netip.ParseAddr(strings.TrimPrefix(s, "/"))
		if err != nil {
			return value.Null, fmt.Errorf("gx:InetAddress %q is no address (names are not looked up)", s)
		}
		return value.InetAddress(a.WithZone("")), nil
	}
	return value.Null, fmt.Errorf("%s is a string", typeNames[k])
}

// whole reads an integer of some bits, also when written as text or with an exponent.
func whole(k value.Kind, n *Node, bits int) (value.Value, error) {
	x, err := strconv.ParseInt(n.text, 10, bits)
	if err != nil {
		f, ferr := strconv.ParseFloat(n.text, 64)
		limit := math.Ldexp(1, bits-1)
		switch {
		case ferr != nil && !math.IsInf(f, 0) || math.IsNaN(f):
			return value.Null, fmt.Errorf("%s is no number: %q", typeNames[k], n.text)
		case f >= limit || f < -limit:
			return value.Null, fmt.Errorf("%s out of range: %s", typeNames[k], n.text)
		case f != math.Trunc(f):
			return value.Null, fmt.Errorf("%s is not whole: %s", typeNames[k], n.text)
		}
		x = int64(f)
	}
	switch k {
	case value.KindByte:
		return value.Byte(int8(x)), nil
	case value.KindShort:
		return value.Short(int16(x)), nil
	case value.KindInt:
		return value.Int(int32(x)), nil
	}
	return value.Long(x), nil
}

// specials are the floating point values that JSON has no number for.
var specials = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

func floating(k value.Kind, n *Node) (value.Value, error) {
	bits := 64
	if k == value.KindFloat {
		bits = 32
	}
	f, ok := specials[n.text]
	if !ok {
		var err error
		f, err = strconv.ParseFloat(n.text, bits)
		if n.kind != NodeNumber || err != nil && !math.IsInf(f, 0) {
			return value.Null, fmt.Errorf("%s value unexpected: %q", typeNames[k], n.text)
		}
	}
	if bits == 32 {
		return value.Float(float32(f)), nil
	}
	return value.Double(f), nil
}

func big10(k value.Kind, n *Node) (value.Value, error) {
	if len(n.text) > MaxDigits {
		return value.Null, fmt.Errorf("number too large: %s of %d characters, the limit is %d", typeNames[k], len(n.text), MaxDigits)
	}
	dec, err := value.ParseDecimal(n.text)
	if err != nil {
		return value.Null, fmt.Errorf("%s: %w", typeNames[k], err)
	}
	if k == value.KindBigDecimal {
		return value.BigDecimal(dec), nil
	}
	if dec.Scale > 0 || dec.Scale < -MaxDigits {
		return value.Null, fmt.Errorf("%s is not whole: %s", typeNames[k], n.text)
	}
	return value.BigInt(value.AsBigInt(value.BigDecimal(dec))), nil
}
