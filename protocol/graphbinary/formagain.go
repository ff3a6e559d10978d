package graphbinary

import (
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// Again implements message.Codec: what lies between the constants is compared, not read.
// A request that agrees up to a constant would be read alike up to there, so its form is the
// one that is known.
func (Codec) Again(b []byte, known, f *message.Form) bool {
	if len(b) > formMax || len(b) <= 1+idLength || b[0] != version {
		return false
	}
	s, from := former{b: b, at: 1 + idLength, f: f}, 0
	for _, at := range known.At {
		if !s.same(known.Bytes[from:at]) || !s.again(known.Bytes[at-1]) {
			return false
		}
		from = at + 1
	}
	copy(f.ID[:], b[1:])
	return s.same(known.Bytes[from:]) && s.at == len(b)
}

// same passes exactly these bytes.
func (s *former) same(part []byte) bool {
	start := s.at
	return s.skip(len(part)) && string(s.b[start:s.at]) == string(part)
}

// again passes flag and value of a constant behind its code. Only what is a constant has a place
// in a form, and whether it is one there depends on its kind alone.
func (s *former) again(code byte) bool {
	if !s.skip(1) || s.b[s.at-1] != flagValue {
		return false
	}
	start := s.at
	if !s.scalar(code) {
		return false
	}
	v, valid := s.constant(code, s.b[start:s.at])
	if !valid || !plancache.Constants(true).LeavesOut(v) {
		return false
	}
	s.f.Constants = append(s.f.Constants, v)
	return true
}
