package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
)

// memoryLimit is that of the manifests, which is GOMEMLIMIT there as well. A test holds it against them.
const memoryLimit = 512 << 20

// server is the program under test, a process on loopback.
type server struct {
	cmd     *exec.Cmd
	log     string // a file
	address string
	trust   *tls.Config
	ended   chan struct{}
	cgroup  string
}

// start the program, which is built already. The caller stops it.
func start(ctx context.Context, program, folder string) (*server, error) {
	free, err := plane.FreePort()
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(free)
	address := net.JoinHostPort("127.0.0.1", port)
	ca := filepath.Join(folder, "ca.crt")
	s := &server{log: filepath.Join(folder, "log"), address: address, ended: make(chan struct{})}
	s.cmd = exec.CommandContext(ctx, program, "serve", "--bind-address=127.0.0.1", "--secure-port="+port, "--ca-file="+ca, "--metrics-bind-address=0")
	s.cmd.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", memoryLimit))
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.confine()
	go func() {
		_ = s.cmd.Wait() // ended by a signal
		close(s.ended)
	}()
	if err := await.Until(ctx, func() error { return s.ready(ca) }); err != nil {
		s.stop()
		return nil, fmt.Errorf("the server does not get ready: %w\n%s", err, s.said())
	}
	return s, nil
}

// said is the log so far.
func (s *server) said() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// ready is no error when the server is, whose CA is in a file.
func (s *server) ready(ca string) error {
	if s.gone() {
		return await.InVain(errors.New("it has ended"))
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return fmt.Errorf("no certificate in %s", ca)
	}
	s.trust = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	client := s.client()
	defer client.CloseIdleConnections()
	response, err := client.Get("https://" + s.address + "/readyz")
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, response.Body)
	if _ = response.Body.Close(); response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

// confine the process to the memory of the pod where this machine lets us (cgroup v1, as root), so that the kernel ends it there.
// Elsewhere it has GOMEMLIMIT alone, and its peak (VmHWM) must not be above that memory.
func (s *server) confine() {
	group := fmt.Sprintf("/sys/fs/cgroup/memory/claimbridge-soak-%d", s.cmd.Process.Pid)
	if os.Mkdir(group, 0o755) != nil {
		return
	}
	s.cgroup = group
	limit := os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), []byte(strconv.Itoa(memoryLimit)), 0)
	enter := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(s.cmd.Process.Pid)), 0)
	if errors.Join(limit, enter) != nil {
		s.release()
	}
}

func (s *server) release() {
	if s.cgroup != "" {
		_ = os.Remove(s.cgroup)
		s.cgroup = ""
	}
}

func (s *server) client() *http.Client {
	return &http.Client{Timeout: 35 * time.Second, Transport: &http.Transport{TLSClientConfig: s.trust.Clone(), MaxIdleConnsPerHost: 64}}
}

// gone tells whether the process has ended.
func (s *server) gone() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(40 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
	s.release()
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak of the memory that the process had at once, in bytes.
func (s *server) peak() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	found := peakLine.FindSubmatch(status)
	if found == nil {
		return 0, errors.New("the process has no VmHWM")
	}
	kib, err := strconv.ParseInt(string(found[1]), 10, 64)
	return kib << 10, err
}

// processor time so far.
func (s *server) processor() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	user, err := strconv.ParseInt(string(fields[11]), 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * time.Second / 100, err
}
