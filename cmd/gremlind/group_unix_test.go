//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the processes that cmd starts a group, so that what strace runs ends
// with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func signalGroup(cmd *exec.Cmd, sig syscall.Signal) { syscall.Kill(-cmd.Process.Pid, sig) }
