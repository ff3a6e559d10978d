package value

import (
	"encoding/binary"
	"fmt"
	"time"
)

// orderedRanks numbers the kinds outside TinkerPop's type spaces by the names of their
// Java classes, with gaps. On disk: never change or reuse one.
var orderedRanks = map[Kind]byte{
	KindChar: 4, KindClass: 8, KindInetAddress: 12, KindBinary: 16, KindTimestamp: 20,
	KindDuration: 24, KindInstant: 28, KindLocalDate: 32, KindLocalDateTime: 36,
	KindLocalTime: 40, KindMonthDay: 44, KindOffsetTime: 48, KindPeriod: 52, KindYear: 56,
	KindYearMonth: 60, KindZoneOffset: 64, KindZonedDateTime: 68, KindDate: 72,
	KindDT: 76, KindGType: 80, KindMerge: 84, KindOperator: 88, KindOrder: 92, KindPick: 96,
	KindPop: 100, KindBarrier: 104, KindScope: 108, KindColumn: 112, KindDirection: 116,
	KindT: 120, KindCardinality: 124,
}

// appendOrderedOther appends rank and a form that sorts as orderer.unknown does.
func appendOrderedOther(dst []byte, v Value) ([]byte, bool, error) {
	rank, ok := orderedRanks[v.kind]
	if !ok {
		return dst, false, fmt.Errorf("index value: a %s cannot be a property value", v.kind)
	}
	dst = append(dst, rank)
	if v.kind.IsEnum() {
		return append(dst, byte(enumOrdinal(v))), true, nil
	}
	switch v.kind {
	case KindChar:
		return flip32(dst, int32(v.num)), true, nil
	case KindClass:
		dst, exact := appendOrderedText(dst, v.JavaString())
		return dst, exact, nil
	case KindInetAddress:
		dst, exact := appendOrderedText(dst, v.JavaString())
		return append(append(dst, byte(v.InetAddress().BitLen()/8)), v.InetAddress().AsSlice()...), exact, nil
	case KindBinary:
		dst, exact := appendSignedBytes(dst, v.Bytes())
		return dst, exact, nil
	case KindZonedDateTime:
		dst, exact := appendOrderedText(appendOrderedTime(dst, v), v.Time().Location().String())
		return dst, exact, nil
	}
	return appendOrderedSmall(dst, v), true, nil
}

func appendOrderedSmall(dst []byte, v Value) []byte {
	switch v.kind {
	case KindLocalTime:
		return flip64(dst, int64(v.LocalTime()))
	case KindDuration:
		return flip32(flip64(dst, v.Duration().Seconds), v.Duration().Nanos)
	case KindMonthDay:
		return append(dst, byte(v.MonthDay().Month)^0x80, byte(v.MonthDay().Day)^0x80)
	case KindOffsetTime:
		t := v.OffsetTime()
		dst = flip64(dst, int64(t.Time)-int64(t.OffsetSeconds)*int64(time.Second))
		return flip64(dst, int64(t.Time))
	case KindPeriod:
		p := v.Period()
		dst, _ = appendOrderedText(dst, v.JavaString()) // at most 36 bytes
		return flip32(flip32(flip32(dst, p.Years), p.Months), p.Days)
	case KindYear:
		return flip32(dst, int32(v.Year()))
	case KindYearMonth:
		return append(flip32(dst, v.YearMonth().Year), byte(v.YearMonth().Month)^0x80)
	case KindZoneOffset:
		return flip32(dst, ^int32(v.ZoneOffset())) // descending
	}
	return appendOrderedTime(dst, v)
}

func flip32(dst []byte, n int32) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(n)^signedFlip)
}

func flip64(dst []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(n)^1<<63)
}

// appendSignedBytes writes bytes so that they sort as signed ones.
func appendSignedBytes(dst, b []byte) ([]byte, bool) {
	all := b
	b = b[:min(len(b), MaxOrdered)]
	for _, c := range b {
		if dst = append(dst, c^0x80); c == 0x80 {
			dst = append(dst, 0xFF)
		}
	}
	if len(all) == len(b) {
		return append(dst, 0, endExact), true
	}
	return binary.BigEndian.AppendUint64(append(dst, 0, endCut), hash64(all)), false
}
