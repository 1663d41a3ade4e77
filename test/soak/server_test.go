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

// memoryLimit is that of the manifests, which is GOMEMLIMIT there as well. A test holds it against them.
const memoryLimit = 512 << 20

// server is the program under test, a process on loopback.
type server struct {
	*process.Process
	address string // of the secure port
	probes  string // of the health probes
	trust   *tls.Config
}

// started is a server that is ready, and ends with the test.
func started(t *testing.T) *server {
	t.Helper()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("nothing here tells the memory of a process: ", err)
	}
	port, probePort, ca := plane.Port(t), plane.Port(t), filepath.Join(t.TempDir(), "ca.crt")
	s := &server{
		address: fmt.Sprintf("127.0.0.1:%d", port), probes: fmt.Sprintf("127.0.0.1:%d", probePort),
		trust: &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12},
	}
	command := exec.Command(built.Claimbridge(t), "serve", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--ca-file="+ca, "--metrics-bind-address=0",
		"--health-probe-bind-address="+s.probes)
	command.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", memoryLimit))
	s.Process = process.Start(t, command)
	await.NoError(t, "the server gets ready", func() error {
		if s.gone() {
			return await.Permanent(errors.New("it has ended"))
		}
		pem, err := os.ReadFile(ca)
		if err != nil {
			return err
		}
		s.trust.RootCAs.AppendCertsFromPEM(pem)
		client := s.client()
		defer client.CloseIdleConnections()
		response, err := client.Get("https://" + s.address + "/readyz")
		if err != nil {
			return err
		}
		if _ = response.Body.Close(); response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	})
	return s
}

func (s *server) client() *http.Client {
	return &http.Client{
		Timeout:   35 * time.Second,
		Transport: &http.Transport{TLSClientConfig: s.trust.Clone(), MaxIdleConnsPerHost: 64},
	}
}

// gone tells whether the process has ended.
func (s *server) gone() bool { return s.Signal(syscall.Signal(0)) != nil }

// answer to a call: of its text the beginning.
type answer struct {
	code, retry int
	text        string
}

// send a call, and read its answer to the end.
func (s *server) send(client *http.Client, a attack.Attack) (answer, error) {
	response, err := client.Post("https://"+s.address+a.Path, "application/json", strings.NewReader(a.Body))
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	retry, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	head, err := io.ReadAll(io.LimitReader(response.Body, 8192))
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
	}
	return answer{response.StatusCode, retry, string(head)}, err
}

// peak of the memory that the process had at once, in bytes.
func (s *server) peak() (int64, error) { return s.Memory("VmHWM") }

// processor time so far.
func (s *server) processor() (time.Duration, error) {
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
