package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

// notation reads the feature files' way to write values: v[marko].id, l[a,b],
// m[{"t[label]":"person"}], d[1].l and so on. A text without such a frame is itself.
type notation struct{ data *toyGraph }

// frame splits kind[content]suffix.
var frame = regexp.MustCompile(`(?s)^(str|dt|uuid|vp|[a-zA-Z])\[(.*)\](\.[a-z]+)?$`)

func (n notation) parse(s string) (value.Value, error) {
	switch s {
	case "null":
		return value.Null, nil
	case "true", "false":
		return value.Bool(s == "true"), nil
	}
	m := frame.FindStringSubmatch(s)
	if m == nil {
		return value.String(s), nil
	}
	kind, content, suffix := m[1], m[2], strings.TrimPrefix(m[3], ".")
	switch kind {
	case "str":
		return value.String(content), nil
	case "dt":
		return parseDateTime(content)
	case "uuid":
		u, err := uuid.Parse(content)
		return value.UUID(u), err
	case "d":
		return parseNumber(content, suffix)
	case "v", "e", "vp":
		return n.element(kind, content, suffix)
	case "l", "s", "p":
		return n.collection(kind, content)
	case "m":
		return n.mapOf(content)
	case "t":
		return parseConstant(value.KindT, content)
	case "D":
		return parseConstant(value.KindDirection, content)
	case "M":
		return parseConstant(value.KindMerge, content)
	}
	return value.String(s), nil
}

func parseConstant(k value.Kind, name string) (value.Value, error) {
	v, ok := value.ParseEnum(k, name)
	if !ok {
		return value.Null, fmt.Errorf("%q is no constant of %v", name, k)
	}
	return v, nil
}

func parseDateTime(s string) (value.Value, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return value.Null, fmt.Errorf("read datetime: %w", err)
	}
	return value.OffsetDateTime(t), nil
}

// parseNumber reads d[content].suffix; without a suffix only NaN and the infinities
// occur.
func parseNumber(content, suffix string) (value.Value, error) {
	switch content {
	case "NaN":
		return value.Double(math.NaN()), nil
	case "Infinity":
		return value.Double(math.Inf(1)), nil
	case "-Infinity":
		return value.Double(math.Inf(-1)), nil
	}
	if suffix == "m" {
		d, err := value.ParseDecimal(content)
		return value.BigDecimal(d), err
	}
	if suffix == "f" || suffix == "d" {
		f, err := strconv.ParseFloat(content, 64)
		if suffix == "f" {
			return value.Float(float32(f)), err
		}
		return value.Double(f), err
	}
	b, ok := new(big.Int).SetString(content, 10)
	if !ok {
		return value.Null, fmt.Errorf("%q is no integer", content)
	}
	switch suffix {
	case "b":
		return value.Byte(int8(b.Int64())), nil
	case "s":
		return value.Short(int16(b.Int64())), nil
	case "i":
		return value.Int(int32(b.Int64())), nil
	case "l":
		return value.Long(b.Int64()), nil
	case "n":
		return value.BigInt(b), nil
	}
	return value.Null, fmt.Errorf("unknown number suffix %q", suffix)
}

func (n notation) element(kind, name, suffix string) (value.Value, error) {
	if n.data == nil {
		return value.Null, fmt.Errorf("%s[%s]: no graph was chosen", kind, name)
	}
	e, err := n.data.find(kind, name)
	if err != nil || suffix == "" {
		return e, err
	}
	id := elementID(e)
	switch suffix {
	case "id":
		return id, nil
	case "sid":
		return value.String(id.JavaString()), nil
	}
	return value.Null, fmt.Errorf("unknown suffix %q of %s[%s]", suffix, kind, name)
}

func elementID(v value.Value) value.Value {
	if vp := v.VertexProperty(); vp != nil {
		return vp.ID
	}
	if e := v.Detached(); e != nil {
		return e.ID
	}
	return value.Null
}

func (n notation) collection(kind, content string) (value.Value, error) {
	var elems []value.Value
	for _, part := range splitTop(content) {
		e, err := n.parse(part)
		if err != nil {
			return value.Null, err
		}
		elems = append(elems, e)
	}
	switch kind {
	case "s":
		return value.NewSet(elems...).Value(), nil
	case "p":
		return (&value.Path{Objects: elems, Labels: make([][]string, len(elems))}).Value(), nil
	}
	return value.List(elems), nil
}

// splitTop splits at commas that no bracket encloses; nothing gives no parts.
func splitTop(s string) []string {
	if s == "" {
		return nil
	}
	var parts []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}

// mapOf reads JSON whose strings, keys included, are notation again.
func (n notation) mapOf(content string) (value.Value, error) {
	d := json.NewDecoder(bytes.NewBufferString(content))
	d.UseNumber()
	return n.json(d)
}

func (n notation) json(d *json.Decoder) (value.Value, error) {
	t, err := d.Token()
	if err != nil {
		return value.Null, fmt.Errorf("read map: %w", err)
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return n.jsonList(d)
		}
		return n.jsonMap(d)
	case string:
		return n.parse(t)
	case bool:
		return value.Bool(t), nil
	case json.Number:
		if i, err := strconv.ParseInt(t.String(), 10, 32); err == nil {
			return value.Int(int32(i)), nil
		}
		f, err := t.Float64()
		return value.Double(f), err
	}
	return value.Null, nil
}

func (n notation) jsonList(d *json.Decoder) (value.Value, error) {
	var elems []value.Value
	for d.More() {
		e, err := n.json(d)
		if err != nil {
			return value.Null, err
		}
		elems = append(elems, e)
	}
	_, err := d.Token()
	return value.List(elems), err
}

func (n notation) jsonMap(d *json.Decoder) (value.Value, error) {
	m := value.NewMap()
	for d.More() {
		k, err := n.json(d)
		if err != nil {
			return value.Null, err
		}
		v, err := n.json(d)
		if err != nil {
			return value.Null, err
		}
		m.Put(k, v)
	}
	_, err := d.Token()
	return m.Value(), err
}
