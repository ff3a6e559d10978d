package value

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/google/uuid"
)

func hash64(b []byte) uint64 { return xxhash.Sum64(b) }

// ReadOrdered reads what AppendOrdered wrote and returns the bytes behind it. When
// exact is false the value cannot be told from the key and v is Null.
func ReadOrdered(b []byte) (v Value, rest []byte, exact bool, err error) {
	if len(b) == 0 {
		return Null, nil, false, errOrdered
	}
	code, b := b[0], b[1:]
	switch code {
	case ordNull:
		return Null, b, true, nil
	case ordBool:
		if len(b) == 0 {
			return Null, nil, false, errOrdered
		}
		return Bool(b[0] != 0), b[1:], true, nil
	case ordNumber:
		return readOrderedNumber(b)
	case ordDate:
		t, rest, err := readOrderedTime(b)
		return OffsetDateTime(t), rest, err == nil, err
	case ordString:
		s, rest, exact, err := readOrderedText(b)
		if !exact {
			return Null, rest, false, err
		}
		return String(s), rest, true, nil
	case ordUUID:
		if len(b) < 16 {
			return Null, nil, false, errOrdered
		}
		u := uuid.UUID(b[:16])
		u[0], u[8] = u[0]^0x80, u[8]^0x80
		return UUID(u), b[16:], true, nil
	case ordOther:
		return readOrderedOther(b)
	}
	if code < ordHashed || code >= ordOther || len(b) < 8 {
		return Null, nil, false, errOrdered
	}
	return Null, b[8:], false, nil
}

// OrderedEqual returns the beginning of a key form that AppendOrdered wrote which
// AppendOrderedEqual makes of the same value, false for damaged bytes. It aliases form.
func OrderedEqual(form []byte) ([]byte, bool) {
	switch {
	case len(form) == 0:
		return nil, false
	case form[0] == ordNumber:
		n := orderedNumberLen(form[1:])
		return form[:1+max(n, 0)], n > 0
	case form[0] >= ordHashed && form[0] < ordOther:
		return form[:1], true
	}
	return form, true
}

func readOrderedTime(b []byte) (time.Time, []byte, error) {
	if len(b) < 16 {
		return time.Time{}, nil, errOrdered
	}
	sec := int64(binary.BigEndian.Uint64(b) ^ 1<<63)
	nanos := int64(binary.BigEndian.Uint32(b[8:]))
	offset := int32(binary.BigEndian.Uint32(b[12:]) ^ signedFlip)
	return time.Unix(sec, nanos).In(FixedZone(int(offset))), b[16:], nil
}

// readEscaped undoes the escaping and consumes the end.
func readEscaped(b []byte) (content, rest []byte, exact bool, err error) {
	for i := 0; i+1 < len(b); i++ {
		if b[i] != 0 {
			content = append(content, b[i])
			continue
		}
		i++
		switch b[i] {
		case 0xFF:
			content = append(content, 0)
		case endExact:
			return content, b[i+1:], true, nil
		case endCut:
			if len(b) < i+9 {
				return nil, nil, false, errOrdered
			}
			return nil, b[i+9:], false, nil
		default:
			return nil, nil, false, errOrdered
		}
	}
	return nil, nil, false, errOrdered
}

func readOrderedText(b []byte) (s string, rest []byte, exact bool, err error) {
	content, rest, exact, err := readEscaped(b)
	if !exact {
		return "", rest, false, err
	}
	return fromCESU(content), rest, true, nil
}

// fromCESU joins surrogate pairs; everything else is UTF-8 already.
func fromCESU(b []byte) string {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] == 0xED && i+5 < len(b) && b[i+1] >= 0xA0 {
			hi := rune(b[i+1]&0x0F)<<6 | rune(b[i+2]&0x3F)
			lo := rune(b[i+4]&0x0F)<<6 | rune(b[i+5]&0x3F)
			out = utf8.AppendRune(out, 0x10000+hi<<10+lo)
			i += 5
			continue
		}
		out = append(out, b[i])
	}
	return string(out)
}

func readOrderedOther(b []byte) (v Value, rest []byte, exact bool, err error) {
	if len(b) < 2 {
		return Null, nil, false, errOrdered
	}
	rank, b := b[0], b[1:]
	for k, r := range orderedRanks {
		if r == rank {
			return readOrderedKind(k, b)
		}
	}
	return Null, nil, false, errOrdered
}

func readOrderedKind(k Kind, b []byte) (v Value, rest []byte, exact bool, err error) {
	switch k {
	case KindClass:
		s, rest, exact, err := readOrderedText(b)
		if !exact {
			return Null, rest, false, err
		}
		for _, prefix := range []string{"class ", "interface "} {
			if name, ok := strings.CutPrefix(s, prefix); ok {
				return Class(name), rest, true, nil
			}
		}
		return Null, nil, false, errOrdered
	case KindBinary:
		content, rest, exact, err := readEscaped(b)
		for i := range content {
			content[i] ^= 0x80
		}
		if !exact {
			return Null, rest, false, err
		}
		return Binary(content), rest, true, nil
	case KindInetAddress:
		return readOrderedInet(b)
	case KindZonedDateTime:
		t, rest, err := readOrderedTime(b)
		if err != nil {
			return Null, nil, false, err
		}
		name, rest, exact, err := readOrderedText(rest)
		return ZonedDateTime(t.In(namedZone(name, offsetSeconds(t)))), rest, exact, err
	case KindPeriod:
		_, rest, _, err := readOrderedText(b)
		if err != nil {
			return Null, nil, false, err
		}
		return readOrderedSmall(k, rest)
	}
	if names := EnumNames(k); names != nil {
		if int(b[0]) >= len(names) {
			return Null, nil, false, errOrdered
		}
		return Enum(k, names[b[0]]), b[1:], true, nil
	}
	return readOrderedSmall(k, b)
}

func readOrderedInet(b []byte) (v Value, rest []byte, exact bool, err error) {
	_, rest, _, err = readOrderedText(b)
	if err != nil || len(rest) == 0 || len(rest) < 1+int(rest[0]) {
		return Null, nil, false, errOrdered
	}
	a, ok := netip.AddrFromSlice(rest[1 : 1+rest[0]])
	if !ok {
		return Null, nil, false, errOrdered
	}
	return InetAddress(a), rest[1+rest[0]:], true, nil
}

// smallSizes are the lengths of the fixed forms.
var smallSizes = map[Kind]int{
	KindChar: 4, KindLocalTime: 8, KindDuration: 12, KindMonthDay: 2, KindOffsetTime: 16,
	KindPeriod: 12, KindYear: 4, KindYearMonth: 5, KindZoneOffset: 4, KindTimestamp: 16,
	KindInstant: 16, KindLocalDate: 16, KindLocalDateTime: 16, KindDate: 16,
}

func readOrderedSmall(k Kind, b []byte) (v Value, rest []byte, exact bool, err error) {
	n := smallSizes[k]
	if len(b) < n {
		return Null, nil, false, errOrdered
	}
	u32 := func(at int) int32 { return int32(binary.BigEndian.Uint32(b[at:]) ^ signedFlip) }
	u64 := func(at int) int64 { return int64(binary.BigEndian.Uint64(b[at:]) ^ 1<<63) }
	switch k {
	case KindChar:
		v = Char(u32(0))
	case KindLocalTime:
		v = LocalTime(time.Duration(u64(0)))
	case KindDuration:
		v = Duration{Seconds: u64(0), Nanos: u32(8)}.Value()
	case KindMonthDay:
		v = MonthDay{Month: int8(b[0] ^ 0x80), Day: int8(b[1] ^ 0x80)}.Value()
	case KindOffsetTime:
		off := (u64(8) - u64(0)) / int64(time.Second)
		v = OffsetTime{Time: time.Duration(u64(8)), OffsetSeconds: int32(off)}.Value()
	case KindPeriod:
		v = Period{Years: u32(0), Months: u32(4), Days: u32(8)}.Value()
	case KindYear:
		v = Year(u32(0)).Value()
	case KindYearMonth:
		v = YearMonth{Year: u32(0), Month: int8(b[4] ^ 0x80)}.Value()
	case KindZoneOffset:
		v = ZoneOffset(^u32(0)).Value()
	default:
		t, _, err := readOrderedTime(b)
		if err != nil {
			return Null, nil, false, err
		}
		v = timeValue(k, t)
	}
	return v, b[n:], true, nil
}
