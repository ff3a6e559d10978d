package graphbinary

import "github.com/gremlind/gremlind/protocol/message"

// A Meter is asked after so many values, or when so many bytes were added.
const (
	meterValues = 1 << 10
	meterBytes  = 64 << 10
)

// meter asks an Encoder's Meter now and then.
type meter struct {
	message.Meter
	values int // until the next question
	bytes  int // written at the next question
}

func newMeter(m message.Meter, dst []byte) meter {
	return meter{Meter: m, values: meterValues, bytes: len(dst) + meterBytes}
}

// due reports whether the Meter is to be asked.
func (m *meter) due(dst []byte) bool {
	m.values--
	return m.values < 0 || len(dst) > m.bytes
}

func (m *meter) ask(dst []byte) error {
	m.values, m.bytes = meterValues, len(dst)+meterBytes
	if m.Meter == nil {
		return nil
	}
	return m.Grown(len(dst))
}
