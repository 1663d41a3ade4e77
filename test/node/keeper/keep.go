//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node/internal/cgroups"
	"github.com/claimbridge/claimbridge/test/node/internal/remains"
	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// keep a node: make it, wait for its end, and clean up.
func keep(node *spec.Node, file string) error {
	// The node's own processes have no part in the lock: when this one was killed, whoever cleans up ends them first.
	syscall.CloseOnExec(5)
	// Whoever ends the owner's processes one by one must not end this one first; its end comes with that of the owner.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	for fd := 3; fd <= 5; fd++ {
		syscall.CloseOnExec(fd) // the node has what it is given
	}
	lives, events := os.NewFile(3, "lives"), os.NewFile(4, "events")
	first, connected, err := begin(file, lives, events)
	if err == nil {
		node.Init, err = remains.Look(first.Process.Pid)
		err = errors.Join(err, node.Write("/proc/self/fd/5"))
	}
	if err == nil {
		err = connect(context.Background(), node)
	}
	if err != nil {
		_ = json.NewEncoder(events).Encode(spec.Event{How: err.Error()})
	}
	_, _ = lives.Close(), events.Close()
	if first != nil {
		if err != nil {
			_ = first.Process.Kill()
		}
		_ = connected.Close()
		_ = first.Wait() // it is killed, or its owner is gone: how it ends says nothing
	}
	return errors.Join(err, leave(node))
}

// leave nothing of the node. What says that it is there goes last: should anything stay, the next owner finds it there.
func leave(node *spec.Node) error {
	if err := remains.Remove(context.Background(), node); err != nil {
		return err
	}
	place, err := os.Readlink("/proc/self/fd/5")
	if err != nil {
		return err
	}
	return os.Remove(place)
}

// begin the first process in namespaces of its own. It goes on when the connection is closed.
func begin(file string, lives, events *os.File) (*exec.Cmd, *os.File, error) {
	runtime.LockOSThread() // the kernel takes the end of this thread for that of the process
	waits, connected, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = waits.Close() }()
	first := exec.Command("/proc/self/exe", "init", file)
	first.Stdin, first.Stdout, first.Stderr, first.ExtraFiles = lives, events, os.Stderr, []*os.File{waits}
	first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		Pdeathsig:  syscall.SIGKILL,
	}
	if err := first.Start(); err != nil {
		return nil, nil, fmt.Errorf("make namespaces: %w", err)
	}
	return first, connected, nil
}

// connect the node with the machine: cgroups, a link, and routes to what is behind it.
func connect(ctx context.Context, n *spec.Node) error {
	if err := cgroups.Make(n.Name); err != nil {
		return err
	}
	return ip(ctx,
		[]string{"link", "add", n.Link, "type", "veth", "peer", "name", "eth0", "netns", strconv.Itoa(n.Init.ID)},
		[]string{"address", "add", n.Machine.String(), "dev", n.Link},
		[]string{"link", "set", n.Link, "up"},
		[]string{"route", "add", n.Pods.String(), "via", n.Address.Addr().String(), "dev", n.Link},
		[]string{"route", "add", n.Services.String(), "via", n.Address.Addr().String(), "dev", n.Link},
	)
}

// ip commands, until one fails.
func ip(ctx context.Context, commands ...[]string) error {
	for _, args := range commands {
		if output, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %q: %w: %s", args, err, output)
		}
	}
	return nil
}
