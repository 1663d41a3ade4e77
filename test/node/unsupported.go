//go:build !linux

package node

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

var errUnsupported = errors.New("clusters run only on Linux")

type supervisor struct{}

func (*supervisor) stop() error                            { return nil }
func (c *Cluster) startSupervisor(context.Context) error   { return errUnsupported }
func acquireSlot(context.Context) (*spec, *os.File, error) { return nil, nil, errUnsupported }
func releaseSlot(*os.File) error                           { return nil }
func killProcessGroupOnCancel(*exec.Cmd)                   {}
func signalChildren(int, syscall.Signal) error             { return errUnsupported }
