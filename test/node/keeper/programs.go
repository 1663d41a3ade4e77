//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// programs that run in the node, by their process.
type programs struct {
	events *json.Encoder

	mutex sync.Mutex // also over each start, so that no end is seen before its beginning
	names map[int]string
}

func newPrograms(events *json.Encoder) *programs {
	return &programs{events: events, names: map[int]string{}}
}

// obey orders until there are no more, and ask how processes ended: the programs, and all that lost their parents.
func (p *programs) obey(orders *json.Decoder) error {
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	go func() {
		for range children {
			p.reap()
		}
	}()
	for {
		var order spec.Order
		if err := orders.Decode(&order); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(order.Args) > 0 {
			p.start(order)
		} else {
			p.signal(order)
		}
	}
}

func (p *programs) start(order spec.Order) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	id, err := start(order)
	if err != nil {
		_ = p.events.Encode(spec.Event{Ended: order.Program, How: err.Error()})
		return
	}
	p.names[id] = order.Program
}

// start a program with a log of its own.
func start(order spec.Order) (int, error) {
	path, err := exec.LookPath(order.Args[0])
	if err != nil {
		return 0, err
	}
	log, err := os.OpenFile(filepath.Join(spec.State, "logs", order.Program+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	defer func() { _ = log.Close() }()
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer func() { _ = nothing.Close() }()
	process, err := os.StartProcess(path, order.Args, &os.ProcAttr{
		Dir: "/", Env: []string{"PATH=" + spec.Path, "HOME=/root"}, Files: []*os.File{nothing, log, log}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return 0, err
	}
	id := process.Pid            // Release forgets it
	return id, process.Release() // it is waited for with all others
}

func (p *programs) signal(order spec.Order) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for id, name := range p.names {
		if name == order.Program {
			_ = syscall.Kill(id, order.Signal) // it may have ended: there will be an event
		}
	}
}

// reap all that have ended: one signal may stand for several.
func (p *programs) reap() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for {
		var status syscall.WaitStatus
		id, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if id <= 0 || err != nil {
			return
		}
		if name, ok := p.names[id]; ok {
			delete(p.names, id)
			_ = p.events.Encode(spec.Event{Ended: name, How: how(status)})
		}
	}
}

func how(status syscall.WaitStatus) string {
	if status.Signaled() {
		return status.Signal().String()
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}
