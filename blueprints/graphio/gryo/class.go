package gryo

// The class numbers of Gryo 3, as far as properties and ids use them.
const (
	classInteger       = 0
	classString        = 1
	classFloat         = 2
	classBoolean       = 3
	classByte          = 4
	classCharacter     = 5
	classShort         = 6
	classLong          = 7
	classDouble        = 8
	classArrayList     = 10
	classHashMap       = 11
	classTerminator    = 13
	classUUID          = 17
	classSingletonList = 24
	classByteArray     = 25
	classBigInteger    = 34
	classBigDecimal    = 35
	classDate          = 38
	classClass         = 41
	classLinkedHashMap = 47
	classEmptyList     = 51
	classEmptyMap      = 52
	classEmptySet      = 53
	classHashSet       = 62
	classLinkedHashSet = 71
	classDuration      = 93
	classInstant       = 94
	classLocalDate     = 95
	classLocalDateTime = 96
	classLocalTime     = 97
	classOffsetDT      = 99
	classYear          = 102
	classLinkedList    = 116
	classArraysAsList  = 134
	classTimestamp     = 161
	classInetAddress   = 162
	classByteBuffer    = 163
)

// header begins every vertex: "gio" and 13 bytes kept for later use.
var header = append([]byte("gio"), make([]byte, 13)...)

// terminator is the byte array that ends every vertex.
var terminator = []byte{58, 21, 138, 17, 112, 155, 153, 150}

// starVersion is the first byte of a star graph.
const starVersion = 0x80
