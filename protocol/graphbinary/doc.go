// Package graphbinary reads and writes GraphBinary 1.0, the drivers' default wire
// form.
//
// A fully qualified value is one byte of type code, one of flag (00 a value, 01 null)
// and the value; where the type is known the value stands bare. All numbers are big
// endian. Codec is what the server uses; AppendValue and ReadValue serve clients.
//
// Everything read is bounded: a message by its length, a count by the bytes that are
// left, nesting by MaxDepth. Decoded values never alias the caller's buffer.
package graphbinary
