package blueprints

import (
	"testing"
	"time"
)

// What drops what is due rests for half of the time at least, and for longer as long as nothing is
// late: then there are some thousands a second, and no more.
func TestExpire_Rests(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct{ took, late, rests time.Duration }{
		{ms, 0, 4 * ms}, {ms, -time.Hour, 4 * ms}, {ms, 5 * time.Second, 4 * ms}, {3 * ms, 0, 3 * ms}, {20 * ms, 0, 20 * ms},
		{ms, 10 * time.Second, ms}, {ms, time.Hour, ms}, {20 * ms, time.Hour, 20 * ms},
	} {
		if got := restBehind(c.took, c.late); got != c.rests {
			t.Errorf("behind a piece of %v, %v late: rests %v, want %v", c.took, c.late, got, c.rests)
		}
	}
	if perSecond := expirePiece * int(time.Second/expirePace); perSecond < 6000 {
		t.Errorf("%d a second", perSecond)
	}
}
