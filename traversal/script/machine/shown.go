package machine

import (
	"github.com/gremlind/gremlind/storage/value"
)

// Shown stands in a result for what cannot leave a script: a client that wants texts is
// sent its text, any other an error that names its class.
type Shown struct {
	Class, Text string
	// whole makes what is sent of it in forms that have more than texts; nil for nothing.
	whole func() (value.Value, error)
}

// JavaString returns the text.
func (s *Shown) JavaString() string { return s.Text }

// Whole returns what is sent in place of s where more than its text can be sent; ok is
// false when that is nothing.
func (s *Shown) Whole() (v value.Value, ok bool, err error) {
	if s.whole == nil {
		return value.Null, false, nil
	}
	v, err = s.whole()
	return v, true, err
}

// JavaClass returns the name of the class.
func (s *Shown) JavaClass() string { return s.Class }

// Sent makes a result of v, in which objects of the script are shown.
func (m *Machine) Sent(v value.Value) (value.Value, error) {
	e := exporter{m: m, left: exportMax, shows: true}
	return e.whole(v)
}
