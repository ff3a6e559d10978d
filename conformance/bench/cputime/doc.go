// Package cputime tells how much processor time this process has used so far: a busy
// machine disturbs that less than the time of day.
package cputime
