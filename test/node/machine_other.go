//go:build !linux

package node

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

var errLinux = errors.New("clusters run on Linux alone")

type keeper struct{}

func (*keeper) close() error                        { return nil }
func (c *Cluster) keep(context.Context) error       { return errLinux }
func take(context.Context) (*spec, *os.File, error) { return nil, nil, errLinux }
func release(*os.File) error                        { return nil }
func together(*exec.Cmd)                            {}
func signal(int, syscall.Signal) error              { return errLinux }
