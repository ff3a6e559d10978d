package main

import "encoding/binary"

// Opcodes and bits of WebSocket frames (RFC 6455, section 5.2).
const (
	opBinary = 0x2
	opClose  = 0x8
	opPing   = 0x9
	opPong   = 0xa

	opMask     = 0x0f
	finBit     = 0x80
	maskBit    = 0x80
	controlBit = 0x8
	length16   = 126
	length64   = 127
)

// appendFrame appends a client's frame, masked with zeros: a legal mask that leaves
// the payload as it is.
func appendFrame(dst []byte, op byte, payload []byte) []byte {
	dst = append(dst, finBit|op)
	switch n := len(payload); {
	case n < length16:
		dst = append(dst, maskBit|byte(n))
	case n < 1<<16:
		dst = binary.BigEndian.AppendUint16(append(dst, maskBit|length16), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, maskBit|length64), uint64(n))
	}
	return append(append(dst, 0, 0, 0, 0), payload...)
}

// frameHeader returns the bytes that a server's frame has before its payload and those
// of the payload; ok is false as long as b ends within the header.
func frameHeader(b []byte) (size, n int, ok bool) {
	if len(b) < 2 {
		return 0, 0, false
	}
	n = int(b[1] &^ maskBit)
	switch {
	case n < length16:
		return 2, n, true
	case n == length16 && len(b) >= 4:
		return 4, int(binary.BigEndian.Uint16(b[2:])), true
	case n == length64 && len(b) >= 10:
		return 10, int(binary.BigEndian.Uint64(b[2:])), true
	}
	return 0, 0, false
}
