package main

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/traversal"
)

var userLimitKeys = []string{"evaluationTimeout", "queryMemory", "requests"}

func newUserLimits() *cobra.Command {
	return &cobra.Command{
		Use: "limits NAME [KEY=VALUE...]", Short: "Set what a user may ask for", Args: cobra.MinimumNArgs(1),
		Long: `Sets the limits of a user: evaluationTimeout and queryMemory, of each request, and requests, of those that run at once. What is
not named is no limit. The server's own limits and those of graphs hold besides; the lowest wins.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(cmd.Flags(), nil, os.Environ())
			if err != nil {
				return err
			}
			var l traversal.UserLimits
			for _, a := range args[1:] {
				if err := setUserLimit(&l, a); err != nil {
					return err
				}
			}
			ctx := cmd.Context()
			return changeUsers(ctx, c, http.MethodPatch, auth.Change{Name: args[0], Limits: &l},
				func(u *auth.Users) error { return u.SetLimits(ctx, args[0], l) })
		}}
}

func setUserLimit(l *traversal.UserLimits, text string) error {
	key, text, ok := strings.Cut(text, "=")
	var err error
	switch {
	case !ok:
		return usage("%s: want KEY=VALUE", key)
	case key == "evaluationTimeout":
		d, derr := readDuration(text)
		l.EvaluationTimeout, err = d.Milliseconds(), derr
	case key == "queryMemory":
		l.QueryMemory, err = readSize(text, math.MaxInt64-1)
	case key == "requests":
		l.Requests, err = wholeNumber(text, math.MaxInt32)
	default:
		return usage("there is no limit %s%s", key, traversal.Suggestion(key, "", userLimitKeys))
	}
	if err != nil {
		return usage("%s: %q: %s", key, text, err)
	}
	return nil
}

func userLimitsText(l *traversal.UserLimits) string {
	var parts []string
	for i, n := range []int64{l.EvaluationTimeout, l.QueryMemory, l.Requests} {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", userLimitKeys[i], n))
		}
	}
	return strings.Join(parts, ",")
}
