package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Bindings reads name=value of the command line. A value is JSON; what does not look like
// JSON is a text. Objects are maps whose order is kept, whole numbers Integers, or wider
// as far as they need it, others Doubles.
func Bindings(params []string) (*value.Map, error) {
	m := value.NewMap()
	for _, p := range params {
		name, text, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--param %s: want name=value", p)
		}
		v, err := jsonValue(text)
		if err != nil {
			if strings.IndexAny(strings.TrimSpace(text), `{["0123456789-`) == 0 {
				return nil, fmt.Errorf("--param %s: the value is no JSON: %w (a text that looks like it stands in quotes: '%s=\"...\"')", name, err, name)
			}
			v = value.String(text)
		}
		m.PutString(name, v)
	}
	return m, nil
}

// Object reads an object of JSON as Bindings does; nil for nothing.
func Object(text []byte) (*value.Map, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	v, err := jsonValue(string(text))
	if err != nil {
		return nil, err
	}
	if v.Kind() != value.KindMap && !v.IsNull() {
		return nil, errors.New("want an object, with a value for each name")
	}
	return v.Map(), nil
}

func jsonValue(text string) (value.Value, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	v, err := decode(d)
	if err != nil {
		return value.Null, err
	}
	if _, err := d.Token(); err != io.EOF {
		return value.Null, fmt.Errorf("there is something behind it")
	}
	return v, nil
}

// decode reads one value; the decoder bounds the depth.
func decode(d *json.Decoder) (value.Value, error) {
	t, err := d.Token()
	if err != nil {
		return value.Null, err
	}
	switch t := t.(type) {
	case bool:
		return value.Bool(t), nil
	case string:
		return value.String(t), nil
	case json.Number:
		return number(string(t))
	case json.Delim:
		if t == '[' {
			return list(d)
		}
		return object(d)
	}
	return value.Null, nil
}

func list(d *json.Decoder) (value.Value, error) {
	var out []value.Value
	for d.More() {
		v, err := decode(d)
		if err != nil {
			return value.Null, err
		}
		out = append(out, v)
	}
	_, err := d.Token()
	return value.List(out), err
}

func object(d *json.Decoder) (value.Value, error) {
	m := value.NewMap()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return value.Null, err
		}
		v, err := decode(d)
		if err != nil {
			return value.Null, err
		}
		m.PutString(fmt.Sprint(key), v)
	}
	_, err := d.Token()
	return m.Value(), err
}

func number(s string) (value.Value, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		if n >= math.MinInt32 && n <= math.MaxInt32 {
			return value.Int(int32(n)), nil
		}
		return value.Long(n), nil
	}
	if n, ok := new(big.Int).SetString(s, 10); ok {
		return value.BigInt(n), nil
	}
	f, err := strconv.ParseFloat(s, 64)
	return value.Double(f), err
}
