//go:build !linux

package blueprints_test

import "time"

// pause waits until then.
func pause(until time.Time) { <-time.After(time.Until(until)) }
