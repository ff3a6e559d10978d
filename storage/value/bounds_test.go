package value_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestParseTime_Years: a year has nine digits at most, as in java.time.
func TestParseTime_Years(t *testing.T) {
	for text, want := range map[string]bool{
		"2024-01-02": true, "+99999-01-02": true, "-0044-03-15": true, "+999999999-12-31": true,
		"+1234567890-01-02": false, "-1234567890-01-02": false, "-01-02": false, "2024-1-02": false, "2024-01-2": false, "2024-01-02 ": false,
	} {
		if _, err := value.ParseTime(value.KindLocalDate, text); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestDiv_ZeroDecimal: the scale of 0 divided by something stays among those that exist.
func TestDiv_ZeroDecimal(t *testing.T) {
	zero := func(scale int32) value.Value {
		return value.BigDecimal(value.Decimal{Unscaled: new(big.Int), Scale: scale})
	}
	three := func(scale int32) value.Value {
		return value.BigDecimal(value.Decimal{Unscaled: big.NewInt(3), Scale: scale})
	}
	for _, x := range []struct{ a, b, want int32 }{
		{5, 2, 3}, {2, 5, -3}, {0, 0, 0}, {math.MaxInt32, -1, math.MaxInt32}, {math.MinInt32, 1, math.MinInt32}, {math.MaxInt32, 0, math.MaxInt32},
	} {
		got, err := value.Div(zero(x.a), three(x.b))
		if err != nil || got.Decimal().Sign() != 0 || got.Decimal().Scale != x.want {
			t.Errorf("0 of scale %d by 3 of scale %d: scale %d, %v, want %d", x.a, x.b, got.Decimal().Scale, err, x.want)
		}
	}
}
