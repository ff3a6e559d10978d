//go:build race

package steps_test

const slowdown = 20 // of the race detector
