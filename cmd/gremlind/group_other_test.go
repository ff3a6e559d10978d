//go:build !unix

package main

import (
	"os/exec"
	"syscall"
)

func ownGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, _ syscall.Signal) { cmd.Process.Kill() }
