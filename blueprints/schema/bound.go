package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// settle brings the bounds of a key to the type of its values, and refuses those that no
// value could keep to.
func (k *Key) settle() error {
	for _, b := range []struct {
		name string
		at   *value.Value
	}{{"min", &k.Min}, {"max", &k.Max}} {
		if b.at.IsNull() {
			continue
		}
		v, err := k.bound(*b.at)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		*b.at = v
	}
	if !k.Min.IsNull() && !k.Max.IsNull() {
		if c, ok := value.Compare(k.Min, k.Max); !ok || c > 0 {
			return fmt.Errorf("nothing lies between min %s and max %s", k.Min.Brief(), k.Max.Brief())
		}
	}
	if k.MaxLength > 0 && !k.Type.Any() && k.Type.kind != value.KindString {
		return fmt.Errorf("maxLength is for a String, not for %s", k.Type.article())
	}
	return nil
}

// bound is a bound as values of the key's type compare with it. In place of a time there
// may be its text.
func (k *Key) bound(v value.Value) (value.Value, error) {
	if v.Kind() == value.KindString && isTime(k.Type.kind) {
		return timeBound(k.Type.kind, v.Str())
	}
	_, ordered := value.Compare(v, v)
	fits := k.Type.Has(v) || v.Kind().IsNumber() && (k.Type.number || k.Type.kind.IsNumber())
	switch {
	case !ordered || !(v.Kind().IsNumber() || v.Kind() == value.KindString || isTime(v.Kind())):
		return v, fmt.Errorf("want a number, a String or a time, not %s", v.Brief())
	case v.Kind().IsNumber() && math.IsInf(value.AsFloat64(v), 0):
		return v, fmt.Errorf("%s bounds nothing", v.Brief())
	case isTime(v.Kind()) && k.Type.Any():
		return v, fmt.Errorf("%s is a time: say the type of the key, too", v.Brief())
	case !fits:
		return v, fmt.Errorf("%s does not compare with %s", v.Brief(), k.Type.article())
	}
	return v, nil
}

// isTime reports whether values are written as ISO-8601.
func isTime(k value.Kind) bool {
	return k >= value.KindDate && k <= value.KindYearMonth && k != value.KindPeriod
}

func timeBound(k value.Kind, text string) (value.Value, error) {
	if k != value.KindDate && k != value.KindTimestamp {
		return value.ParseTime(k, text)
	}
	v, err := value.ParseTime(value.KindInstant, text)
	switch {
	case err != nil:
		return v, err
	case k == value.KindDate:
		return value.Date(v.Time()), nil
	}
	return value.Timestamp(v.Time()), nil
}

// encodeBound writes a bound as JSON: numbers as they are, all else as text.
func encodeBound(v value.Value) json.RawMessage {
	if v.IsNull() {
		return nil
	}
	if v.Kind().IsNumber() {
		return json.RawMessage(boundText(v))
	}
	b, _ := json.Marshal(boundText(v)) // of a text
	return b
}

// boundText is a bound as a person writes it.
func boundText(v value.Value) string {
	if k := v.Kind(); k == value.KindDate || k == value.KindTimestamp {
		return value.Instant(v.Time()).JavaString()
	}
	return v.JavaString()
}

func decodeBound(b json.RawMessage) (value.Value, error) {
	text := strings.TrimSpace(string(b))
	if text == "" || text == "null" {
		return value.Null, nil
	}
	if text[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		return value.String(s), err
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Long(n), nil
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") {
		return value.Double(f), nil
	}
	d, err := value.ParseDecimal(text)
	return value.BigDecimal(d), err
}
