//go:build !unix

package cputime

import "time"

// Own is 0: the processor time is not known here.
func Own() time.Duration { return 0 }
