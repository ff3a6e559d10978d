//go:build !race

package steps_test

const slowdown = 1
