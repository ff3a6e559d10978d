package graphbinary

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// Limits of a form.
const (
	formMax          = 2 << 10 // bytes of the request
	formDepthMax     = plancache.DepthMax
	formConstantsMax = plancache.ConstantsMax
)

// flagConstant takes the place of a constant's flag in a form, whose value is left out.
const flagConstant = 0xff

const idLength = 16

// Form implements message.Codec: one pass over the bytes that builds no values but the
// constants. protocol/request/forms.go says what that brings.
func (Codec) Form(b []byte, f *message.Form) bool {
	if len(b) > formMax || len(b) <= 1+idLength || b[0] != version {
		return false
	}
	copy(f.ID[:], b[1:])
	s := former{b: b, at: 1 + idLength, copied: 1 + idLength, f: f}
	if !s.text() || !s.text() || !s.arguments() || s.at != len(b) {
		return false
	}
	f.Bytes = append(f.Bytes, b[s.copied:]...)
	return true
}

// former copies a request to its form. Its methods are false when there is none.
type former struct {
	b      []byte
	at     int
	copied int // b up to here is in the form
	f      *message.Form
}

// skip passes n bytes.
func (s *former) skip(n int) bool {
	if n < 0 || n > len(s.b)-s.at {
		return false
	}
	s.at += n
	return true
}

// count reads the number of things that follow.
func (s *former) count() (n int, ok bool) {
	if !s.skip(4) {
		return 0, false
	}
	n = int(int32(binary.BigEndian.Uint32(s.b[s.at-4:])))
	return n, n >= 0 && n <= len(s.b)-s.at
}

// text passes a bare string.
func (s *former) text() bool {
	n, ok := s.count()
	return ok && s.skip(n)
}

// arguments passes those of the request. Only one may be bytecode, so that all
// constants are those of the traversal.
func (s *former) arguments() bool {
	n, ok := s.count()
	bytecodes := 0
	for ; n > 0 && ok; n-- {
		ok = s.plain(0)
		if s.at < len(s.b) && s.b[s.at] == codeBytecode {
			bytecodes++
			ok = ok && s.argument(plancache.Kept, 0)
		} else {
			ok = ok && s.plain(0)
		}
	}
	return ok && bytecodes == 1
}

// head passes code and flag of a value; null is set when that is all.
func (s *former) head() (code byte, null, ok bool) {
	if !s.skip(2) {
		return 0, false, false
	}
	code, flag := s.b[s.at-2], s.b[s.at-1]
	return code, flag == flagNull, code != codeCustom && flag <= flagNull
}

// plain passes a value without constants.
func (s *former) plain(depth int) bool {
	code, null, ok := s.head()
	if !ok || null {
		return ok
	}
	return s.scalar(code) || code == codeMap && s.entries(depth+1)
}

// scalar passes the value of a code, false when it is none of a few.
func (s *former) scalar(code byte) bool {
	switch code {
	case codeInt, codeFloat:
		return s.skip(4)
	case codeLong, codeDouble:
		return s.skip(8)
	case codeString:
		return s.text()
	case codeUUID:
		return s.skip(idLength)
	case codeBoolean, codeByte:
		return s.skip(1)
	case codeShort:
		return s.skip(2)
	}
	if _, enum := enumKind(code); enum {
		code, null, ok := s.head()
		return ok && code == codeString && !null && s.text()
	}
	return false
}

// configuration passes a value of a source, which has no constants.
func (s *former) configuration(depth int) bool {
	if s.at < len(s.b) && s.b[s.at] == codeStrategy {
		_, null, ok := s.head()
		return ok && (null || s.text() && s.entries(depth+1))
	}
	return s.plain(depth)
}

// entries passes a bare map.
func (s *former) entries(depth int) bool {
	n, ok := s.count()
	for ok = ok && depth <= formDepthMax; n > 0 && ok; n-- {
		ok = s.plain(depth) && s.plain(depth)
	}
	return ok
}

// argument passes a value of a traversal, without what is a constant at its place.
func (s *former) argument(at plancache.Constants, depth int) bool {
	code, null, ok := s.head()
	if !ok || null {
		return ok
	}
	switch code {
	case codeBytecode:
		return s.bytecode(depth + 1)
	case codeP, codeTextP:
		return s.predicate(at.Within(code == codeTextP), depth+1)
	}
	start := s.at
	if !s.scalar(code) {
		return false
	}
	if at == plancache.Kept {
		return true
	}
	v, valid := s.constant(code, s.b[start:s.at])
	if !valid || !at.LeavesOut(v) {
		return valid
	}
	s.f.Bytes = append(append(s.f.Bytes, s.b[s.copied:start-1]...), flagConstant)
	s.f.At = append(s.f.At, len(s.f.Bytes)-1)
	s.copied = s.at
	s.f.Constants = append(s.f.Constants, v)
	return len(s.f.Constants) <= formConstantsMax
}

// constant reads the value of a scalar, Null when it can be no constant; it is not
// valid when decoding would fail.
func (s *former) constant(code byte, b []byte) (v value.Value, valid bool) {
	switch code {
	case codeInt:
		return value.Int(int32(binary.BigEndian.Uint32(b))), true
	case codeLong:
		return value.Long(int64(binary.BigEndian.Uint64(b))), true
	case codeDouble:
		return value.Double(math.Float64frombits(binary.BigEndian.Uint64(b))), true
	case codeUUID:
		return value.UUID(uuid.UUID(b)), true
	case codeString:
		return value.String(string(b[4:])), utf8.Valid(b[4:])
	}
	return value.Null, true
}

// bytecode passes bare bytecode: steps and source.
func (s *former) bytecode(depth int) bool {
	if depth > formDepthMax || !s.instructions(depth, true) {
		return false
	}
	return s.instructions(depth, false)
}

func (s *former) instructions(depth int, steps bool) bool {
	n, ok := s.count()
	for ; n > 0 && ok; n-- {
		start := s.at + 4
		if !s.text() {
			return false
		}
		name := s.b[start:s.at]
		var args int
		args, ok = s.count()
		for i := 0; i < args && ok; i++ {
			if steps {
				ok = s.argument(plancache.ConstantsAt(string(name), args, i), depth)
			} else {
				ok = s.configuration(depth)
			}
		}
	}
	return ok
}

// predicate passes a bare P or TextP.
func (s *former) predicate(inside plancache.Constants, depth int) bool {
	if depth > formDepthMax || !s.text() {
		return false
	}
	n, ok := s.count()
	for ; n > 0 && ok; n-- {
		ok = s.argument(inside, depth)
	}
	return ok
}
