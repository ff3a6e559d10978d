//go:build !linux

package main

import (
	"context"
	"log/slog"
)

// keepHuge does nothing: what it does on Linux has no like here.
func keepHuge(context.Context, *slog.Logger) {}
