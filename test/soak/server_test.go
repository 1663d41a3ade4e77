//go:build e2e

package soak

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// memoryLimit is the memory limit in the manifests, which is also GOMEMLIMIT. TestMemoryMatchesTheManifests compares
// them.
const memoryLimit = 512 << 20

// server is the program under test, a process on loopback.
type server struct {
	*process.Process
	address      string // of the secure port
	probeAddress string // of the health probes
	tls          *tls.Config
}

// startServer starts a server, and waits until it is ready. It is stopped when the test ends.
func startServer(t *testing.T) *server {
	t.Helper()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the memory of a process is not available: ", err)
	}
	port := plane.Port(t)
	caFile := filepath.Join(t.TempDir(), "ca.crt")
	s := &server{
		address:      fmt.Sprintf("127.0.0.1:%d", port),
		probeAddress: fmt.Sprintf("127.0.0.1:%d", plane.Port(t)),
		tls:          &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12},
	}
	command := exec.Command(built.Claimbridge(t), "serve", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--ca-file="+caFile, "--metrics-bind-address=0",
		"--health-probe-bind-address="+s.probeAddress)
	command.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", memoryLimit))
	s.Process = process.Start(t, command)
	await.NoError(t, "wait until the server is ready", func() error {
		if s.hasExited() {
			return await.Permanent(errors.New("the server has exited"))
		}
		pem, err := os.ReadFile(caFile)
		if err != nil {
			return err
		}
		s.tls.RootCAs.AppendCertsFromPEM(pem)
		client := s.client()
		defer client.CloseIdleConnections()
		response, err := client.Get("https://" + s.address + "/readyz")
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	})
	return s
}

func (s *server) client() *http.Client {
	return &http.Client{
		Timeout:   35 * time.Second,
		Transport: &http.Transport{TLSClientConfig: s.tls.Clone(), MaxIdleConnsPerHost: 64},
	}
}

// hasExited reports whether the process has exited.
func (s *server) hasExited() bool { return s.Signal(syscall.Signal(0)) != nil }

// response to a request.
type response struct {
	code int
	// retryAfter is the header Retry-After, in seconds.
	retryAfter int
	// text is the beginning of the body.
	text string
}

// send sends a request, and reads the whole response.
func (s *server) send(client *http.Client, request attack.Request) (response, error) {
	resp, err := client.Post("https://"+s.address+request.Path, "application/json", strings.NewReader(request.Body))
	if err != nil {
		return response{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	retryAfter, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	text, err := io.ReadAll(io.LimitReader(resp.Body, 8192))
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	return response{resp.StatusCode, retryAfter, string(text)}, err
}

// peakMemory returns the peak memory of the process, in bytes.
func (s *server) peakMemory() (int64, error) { return s.Memory("VmHWM") }

// processorTime returns the processor time of the process.
func (s *server) processorTime() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.Pid))
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
