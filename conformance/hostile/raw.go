package main

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// rawPlans send messages that lie about their lengths, nest without end, or are broken.
func rawPlans() []plan {
	kinds := map[string]func(rng *rand.Rand) []byte{
		"broken":          broken,
		"levels of lists": func(*rand.Rand) []byte { return binaryFrame(levels(0x09, 300_000)) },
		"levels of maps":  func(*rand.Rand) []byte { return binaryFrame(levels(0x0a, 300_000)) },
		"a long list":     func(*rand.Rand) []byte { return binaryFrame(long(0x09)) },
		"a long set":      func(*rand.Rand) []byte { return binaryFrame(long(0x0b)) },
		"a long text":     func(*rand.Rand) []byte { return binaryFrame(long(0x03)) },
		"a long number":   func(*rand.Rand) []byte { return binaryFrame(long(0x23)) },
		"a lying length":  func(rng *rand.Rand) []byte { return binaryFrame(lying(rng)) },
		"JSON levels":     func(*rand.Rand) []byte { return jsonFrame(strings.Repeat(`[`, 4_000_000)) },
		"JSON objects":    func(*rand.Rand) []byte { return jsonFrame(strings.Repeat(`{"a":`, 1_000_000)) },
		"JSON lists": func(*rand.Rand) []byte {
			return jsonFrame(strings.Repeat(`{"@type":"g:List","@value":[`, 250_000))
		},
		"JSON keys":    func(*rand.Rand) []byte { return jsonFrame(`{` + strings.Repeat(`"a":1,`, 1_200_000) + `"b":2}`) },
		"JSON numbers": func(*rand.Rand) []byte { return jsonFrame(`[` + strings.Repeat(`9`, 7_000_000) + `]`) },
		"JSON zeros":   func(*rand.Rand) []byte { return jsonFrame(`[` + strings.Repeat(`0,`, 3_500_000) + `0]`) },
		"JSON escapes": func(*rand.Rand) []byte { return jsonFrame(`"` + strings.Repeat(`\u00e9`, 1_300_000) + `"`) },
		"JSON decimal": func(*rand.Rand) []byte {
			return jsonFrame(`{"@type":"gx:BigDecimal","@value":1e` + strings.Repeat("9", 1000) + `}`)
		},
	}
	var list []plan
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, plan{"message " + name, func(rng *rand.Rand) attack { return attack{name: name, raw: kinds[name]} }})
	}
	return list
}

// binaryFrame is a request one of whose arguments is given as it is encoded.
func binaryFrame(argument []byte) []byte {
	args := value.NewMap()
	args.PutString("gremlin", value.String("g.inject(1)"))
	args.PutString("x", value.Int(0x7e7e7e7e))
	frame, err := client.Encode(uuid.New(), "", "eval", args)
	if err != nil {
		return []byte{} // a message too, of no bytes
	}
	mark := []byte{0x01, 0x00, 0x7e, 0x7e, 0x7e, 0x7e}
	return []byte(strings.Replace(string(frame), string(mark), string(argument), 1))
}

// levels is a collection in a collection and so on.
func levels(code byte, n int) []byte {
	var b []byte
	for range n {
		b = append(b, code, 0, 0, 0, 0, 1)
	}
	return b
}

// long is as much as fits into a message.
func long(code byte) []byte {
	const bytes = messageBytes
	if code == 0x03 || code == 0x23 {
		return append(binary.BigEndian.AppendUint32([]byte{code, 0}, bytes), make([]byte, bytes)...)
	}
	b := binary.BigEndian.AppendUint32([]byte{code, 0}, bytes/6)
	for i := range uint32(bytes / 6) {
		b = binary.BigEndian.AppendUint32(append(b, 0x01, 0), i)
	}
	return b
}

// lying announces more than there is.
func lying(rng *rand.Rand) []byte {
	code := []byte{0x03, 0x09, 0x0a, 0x0b, 0x0e, 0x15, 0x23, 0x25, 0x2a, 0x2b, 0x2c, 0x2d}[rng.IntN(12)]
	b := binary.BigEndian.AppendUint32([]byte{code, 0}, uint32(1+rng.IntN(messageBytes)))
	return append(b, make([]byte, rng.IntN(messageBytes))...)
}

// broken is a request of any value in which some bytes are wrong.
func broken(rng *rand.Rand) []byte {
	kinds := corpus.Kinds()
	sample := func(i int) value.Value { v, _ := corpus.Sample(kinds[(i+rng.IntN(3))%len(kinds)], i); return v }
	v := corpus.Forms[rng.IntN(len(corpus.Forms))].Make(sample, 1000)
	b, err := encode(formGraphBinary, v)
	if err != nil || len(b) == 0 {
		return lying(rng)
	}
	for range 1 + rng.IntN(4) {
		b[rng.IntN(len(b))] = byte(rng.Uint32())
	}
	return binaryFrame(b)
}

// jsonFrame is a request whose argument is given as text.
func jsonFrame(argument string) []byte {
	text := `{"requestId":"` + uuid.NewString() + `","op":"eval","processor":"","args":{"gremlin":"g.inject(1)","x":` + argument + `}}`
	return append(append([]byte{byte(len(message.MimeGraphSON3))}, message.MimeGraphSON3...), text...)
}
