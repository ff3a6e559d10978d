package request

import (
	"time"

	"github.com/gremlind/gremlind/protocol/quota"
)

// Live is what may change while the server runs. Each request, session and connection goes
// by what it reads when it needs it.
type Live struct {
	Limits quota.Limits
	// Audit notes every request before it is evaluated (enableAuditLog).
	Audit bool
	// SlowQuery logs requests that take longer; 0 logs none.
	SlowQuery time.Duration
}

// Set changes what may change.
func (d *Desk) Set(l Live) { d.live.Store(&l) }

// Limits are those of the moment.
func (d *Desk) Limits() *quota.Limits { return &d.live.Load().Limits }
