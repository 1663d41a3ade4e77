package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// program in the node: its name, which is that of its file and of its log, and its flags.
type program struct {
	name  string
	flags []string
}

// run a program in the node.
func (c *Cluster) run(p program) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs[p.name] = &run{ended: make(chan struct{})}
	return c.order(spec.Order{Program: p.name, Args: append([]string{p.name}, p.flags...)})
}

// stop a program: ask it, and after a while do not ask.
func (c *Cluster) stop(ctx context.Context, name string) error {
	c.mutex.Lock()
	r := c.runs[name]
	if r != nil {
		r.asked = true
	}
	err := c.order(spec.Order{Program: name, Signal: syscall.SIGTERM})
	c.mutex.Unlock()
	if err != nil || r == nil { // nil: it has ended by itself
		return err
	}
	const politely = 10 * time.Second // kube-apiserver lets requests end first
	select {
	case <-r.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(politely):
	}
	c.mutex.Lock()
	err = c.order(spec.Order{Program: name, Signal: syscall.SIGKILL})
	c.mutex.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-r.ended:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("%s was killed, but does not end\n%s", name, c.tail(name))
	}
}

// order the first process of the node.
func (c *Cluster) order(o spec.Order) error {
	if err := json.NewEncoder(c.keeper.orders).Encode(o); err != nil {
		return fmt.Errorf("the node takes no orders: %w\n%s", err, c.tail("keeper"))
	}
	return nil
}

func (c *Cluster) ended(name, how string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r := c.runs[name]; r != nil {
		r.how = how
		close(r.ended)
		delete(c.runs, name)
		if !r.asked {
			select {
			case c.lost <- fmt.Errorf("%s has ended: %s\n%s", name, how, c.tail(name)):
			default: // another one was before it
			}
		}
	}
}

func (c *Cluster) endAll(how string) {
	for _, name := range c.running() {
		c.ended(name, how)
	}
}

func (c *Cluster) running() (names []string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for name := range c.runs {
		names = append(names, name)
	}
	return names
}

// until something is so that a program must see to. The error has the end of its log.
func (c *Cluster) until(ctx context.Context, name, what string, is func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.mutex.Lock()
	r := c.runs[name]
	c.mutex.Unlock()
	if r == nil {
		return fmt.Errorf("%s has ended\n%s", name, c.tail(name))
	}
	for {
		err := is(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-r.ended:
			return fmt.Errorf("%s has ended: %s\n%s", name, r.how, c.tail(name))
		case <-ctx.Done():
			return fmt.Errorf("%s: %s: %w\n%s", name, what, errors.Join(err, ctx.Err()), c.tail(name))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *Cluster) logFile(name string) string { return filepath.Join(c.Logs(), name+".log") }

// tail of a log: as much as helps.
func (c *Cluster) tail(name string) string {
	const lines = 15
	data, err := os.ReadFile(c.logFile(name))
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(data)), "\n")
	return fmt.Sprintf("the end of %s:\n%s", c.logFile(name), strings.Join(all[max(0, len(all)-lines):], "\n"))
}
