package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// The servers, in the order of the table.
const (
	null        = "null"
	claimbridge = "claimbridge"
	stock       = "stock"
)

var servers = []string{null, claimbridge, stock}

// build makes the program of each server: claimbridge as it is released, the others with the same flags.
func (b *bench) build() error {
	b.binaries = map[string]string{
		claimbridge: filepath.Join(b.root, "bin", "claimbridge"),
		null:        filepath.Join(b.temp, "null"),
		stock:       filepath.Join(b.temp, "stock"),
	}
	b.say("building the servers ...")
	for _, c := range []*exec.Cmd{
		exec.CommandContext(b, "make", "build", "GO="+b.goTool),
		exec.CommandContext(b, b.goTool, "-C", "test/bench", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.binaries[null], "./null"),
		exec.CommandContext(b, b.goTool, "-C", "test/bench/stock", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.binaries[stock], "."),
	} {
		c.Dir, c.Env = b.root, append(os.Environ(), "CGO_ENABLED=0")
		if output, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", c, err, output)
		}
	}
	return nil
}

// server is a process that listens.
type server struct {
	process
	name string
	cmd  *exec.Cmd
	log  *bytes.Buffer
	url  string
	// ready is how long it took until it answered.
	ready time.Duration
}

// start a server and wait until it is ready. The environment is added to that of this process.
func (b *bench) start(name string, environment []string, flags ...string) (*server, error) {
	port, err := plane.FreePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	s := &server{name: name, log: &bytes.Buffer{}, url: "https://" + address}
	var args []string
	switch name {
	case null:
		args = []string{"--address", address, "--cert-dir", b.tls.dir}
	case stock:
		args = []string{"--port", fmt.Sprint(port), "--cert-dir", b.tls.dir}
	case claimbridge:
		args = []string{"serve", "--bind-address", "127.0.0.1", "--secure-port", fmt.Sprint(port), "--cert-dir", b.tls.dir, "--metrics-bind-address", "127.0.0.1:0"}
	}
	s.cmd = exec.CommandContext(b, b.binaries[name], append(args, flags...)...)
	s.cmd.Env = append(os.Environ(), environment...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	begun := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.process = process(s.cmd.Process.Pid)
	if err := s.wait(b.Context, b.tls); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s does not get ready: %w\n%s", name, err, s.log)
	}
	s.ready = time.Since(begun)
	return s, nil
}

// wait until the server says that it is ready. The stock one has no such endpoint: any answer will do.
func (s *server) wait(ctx context.Context, c *credentials) error {
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: c.pool}}}
	var last error
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(time.Millisecond) {
		response, err := client.Get(s.url + "/readyz")
		if err != nil {
			last = err
			continue
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK || s.name == stock {
			return nil
		}
		last = fmt.Errorf("readyz: %s", response.Status)
	}
	return last
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Wait() // ended by a signal
}

func stopAll(servers map[string]*server) {
	for _, s := range servers {
		s.stop()
	}
}
