//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// live as the first process of a node: make its root and its network, then wait for the end of its owner, and meanwhile for those who have
// lost their parents. Its end is that of all other processes in the node.
func live(node *spec.Node, _ string) error {
	events := json.NewEncoder(os.Stdout)
	err := enter(node)
	if err != nil {
		_ = events.Encode(spec.Event{How: err.Error()})
		return err
	}
	if err := events.Encode(spec.Event{Ready: true}); err != nil {
		return err
	}
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	go func() {
		for range children {
			reap()
		}
	}()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// reap all that have ended: one signal may stand for several.
func reap() {
	for {
		if id, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != syscall.EINTR && id <= 0 {
			return
		}
	}
}

func enter(node *spec.Node) error {
	// Nothing is written there: its end says that the link is there.
	connected := os.NewFile(3, "connected")
	if _, err := io.Copy(io.Discard, connected); err != nil {
		return err
	}
	if err := connected.Close(); err != nil {
		return err
	}
	if err := os.Setenv("PATH", spec.Path); err != nil {
		return err
	}
	if err := root(node); err != nil {
		return fmt.Errorf("make the root of the node: %w", err)
	}
	if err := ip(context.Background(),
		[]string{"link", "set", "lo", "up"},
		[]string{"address", "add", node.Address.String(), "dev", "eth0"},
		[]string{"link", "set", "eth0", "up"},
		// The kernel looks for a route to a Service before kube-proxy's rules give its packets another destination. This
		// one is never gone.
		[]string{"route", "add", node.Services.String(), "via", node.Machine.Addr().String()},
	); err != nil {
		return err
	}
	return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o600) // of this namespace
}
