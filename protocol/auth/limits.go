package auth

import (
	"context"
	"fmt"
	"math"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal"
)

// SetLimits gives a user other limits.
func (u *Users) SetLimits(ctx context.Context, name string, l traversal.UserLimits) error {
	if err := checkLimits(&l); err != nil {
		return err
	}
	return u.change(ctx, name, func(_ storage.Tx, user *User) error {
		user.Limits = &l
		if l == (traversal.UserLimits{}) {
			user.Limits = nil
		}
		return nil
	})
}

// checkLimits says which limit is none.
func checkLimits(l *traversal.UserLimits) error {
	if l == nil {
		return nil
	}
	for name, n := range map[string]int64{"evaluationTimeout": l.EvaluationTimeout, "queryMemory": l.QueryMemory, "requests": l.Requests} {
		if n < 0 || name == "evaluationTimeout" && n > math.MaxInt32 {
			return fmt.Errorf("limits: %s: %d is out of range", name, n)
		}
	}
	return nil
}
