package graphbinary

import "github.com/gremlind/gremlind/storage/value"

// version begins every message: GraphBinary 1 with the high bit set.
const version = 0x81

// The type codes.
const (
	codeCustom           = 0x00
	codeInt              = 0x01
	codeLong             = 0x02
	codeString           = 0x03
	codeDate             = 0x04
	codeTimestamp        = 0x05
	codeClass            = 0x06
	codeDouble           = 0x07
	codeFloat            = 0x08
	codeList             = 0x09
	codeMap              = 0x0a
	codeSet              = 0x0b
	codeUUID             = 0x0c
	codeEdge             = 0x0d
	codePath             = 0x0e
	codeProperty         = 0x0f
	codeGraph            = 0x10
	codeVertex           = 0x11
	codeVertexProperty   = 0x12
	codeBarrier          = 0x13
	codeBinding          = 0x14
	codeBytecode         = 0x15
	codeCardinality      = 0x16
	codeColumn           = 0x17
	codeDirection        = 0x18
	codeOperator         = 0x19
	codeOrder            = 0x1a
	codePick             = 0x1b
	codePop              = 0x1c
	codeLambda           = 0x1d
	codeP                = 0x1e
	codeScope            = 0x1f
	codeT                = 0x20
	codeTraverser        = 0x21
	codeBigDecimal       = 0x22
	codeBigInteger       = 0x23
	codeByte             = 0x24
	codeByteBuffer       = 0x25
	codeShort            = 0x26
	codeBoolean          = 0x27
	codeTextP            = 0x28
	codeStrategy         = 0x29
	codeBulkSet          = 0x2a
	codeTree             = 0x2b
	codeMetrics          = 0x2c
	codeTraversalMetrics = 0x2d
	codeMerge            = 0x2e
	codeDT               = 0x2f
	codeGType            = 0x30
	codeChar             = 0x80
	codeDuration         = 0x81
	codeInetAddress      = 0x82
	codeInstant          = 0x83
	codeLocalDate        = 0x84
	codeLocalDateTime    = 0x85
	codeLocalTime        = 0x86
	codeMonthDay         = 0x87
	codeOffsetDateTime   = 0x88
	codeOffsetTime       = 0x89
	codePeriod           = 0x8a
	codeYear             = 0x8b
	codeYearMonth        = 0x8c
	codeZonedDateTime    = 0x8d
	codeZoneOffset       = 0x8e
	codeNull             = 0xfe

	flagValue = 0x00
	flagNull  = 0x01
)

// enumCodes pairs the enumerations with their codes.
var enumCodes = [...]struct {
	kind value.Kind
	code byte
}{
	{value.KindT, codeT}, {value.KindDirection, codeDirection}, {value.KindOrder, codeOrder},
	{value.KindScope, codeScope}, {value.KindPop, codePop}, {value.KindCardinality, codeCardinality},
	{value.KindColumn, codeColumn}, {value.KindOperator, codeOperator}, {value.KindPick, codePick},
	{value.KindBarrier, codeBarrier}, {value.KindMerge, codeMerge}, {value.KindDT, codeDT},
	{value.KindGType, codeGType},
}

func enumKind(code byte) (value.Kind, bool) {
	for _, e := range enumCodes {
		if e.code == code {
			return e.kind, true
		}
	}
	return value.KindNull, false
}

func enumCode(k value.Kind) byte {
	for _, e := range enumCodes {
		if e.kind == k {
			return e.code
		}
	}
	return codeNull
}
