package table

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
)

// TestAuthor_Bytes: notes are on disk, so their bytes do not change.
func TestAuthor_Bytes(t *testing.T) {
	request := [16]byte{0: 0xab, 15: 0xcd}
	for want, a := range map[string]Author{
		"":             {},
		"0103616e6e00": {User: "ann"},
		"0100036d656e": {By: "men"},
		"0103616e6e00ab0000000000000000000000000000cd": {User: "ann", Request: request},
	} {
		if got := hex.EncodeToString(AppendAuthor(nil, &a)); got != want {
			t.Errorf("%+v is %s, was %s", a, got, want)
		}
	}
	for _, bad := range []string{"02", "01", "0101", "01ff7f", "010000ab", "0100", "01ac0200" + strings.Repeat("61", 300)} {
		b, err := hex.DecodeString(bad)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := DecodeAuthor(b); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s is %+v, %v", bad, a, err)
		}
	}
}

func TestAuthor_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(-1, -1, authorTextMax)
		a := Author{User: text.Draw(t, "user"), By: text.Draw(t, "by")}
		if rapid.Bool().Draw(t, "asked") {
			copy(a.Request[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "request"))
		}
		if got, err := DecodeAuthor(AppendAuthor(nil, &a)); err != nil || got != a {
			t.Fatalf("%+v comes back as %+v, %v", a, got, err)
		}
	})
	long := Author{User: strings.Repeat("x", 1000)}
	if got, err := DecodeAuthor(AppendAuthor(nil, &long)); err != nil || len(got.User) != authorTextMax {
		t.Errorf("of a user's name of 1,000 bytes %d are kept, %v", len(got.User), err)
	}
}

func FuzzAuthor(f *testing.F) {
	f.Add(AppendAuthor(nil, &Author{User: "ann", By: "import", Request: [16]byte{1}}))
	f.Fuzz(func(t *testing.T, note []byte) {
		a, err := DecodeAuthor(note)
		if err != nil {
			return
		}
		if b, err := DecodeAuthor(AppendAuthor(nil, &a)); err != nil || a != b {
			t.Errorf("%x is %+v, and %+v when it was written again, %v", note, a, b, err)
		}
	})
}
