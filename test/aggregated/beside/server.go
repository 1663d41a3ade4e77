// Package beside runs the aggregated API server beside a control plane: as a process of this machine, with the manifests, rights and
// service account that it has in a cluster.
package beside

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// Server is a process that can be stopped and started again.
type Server struct {
	// Versions that it serves.
	Versions []string
	// Address is where it listens, which callers are not meant to know, and CA what its certificate is signed by.
	Address string
	CA      []byte
	// Audit is the file that it writes its own audit log to; none unless it was installed with one.
	Audit string

	plane   *plane.Plane
	folder  string
	program string
	actAs   config.ActAs
	delay   time.Duration
	args    []string
	process *exec.Cmd
	ended   chan error
	log     *lines
}

// MemoryLimit of the container in the manifests, which is GOMEMLIMIT there as well.
const MemoryLimit = 512 << 20

const (
	account        = "claimbridge-apiserver"
	memoryVariable = "GOMEMLIMIT"
	// patience with a machine that does other things as well.
	patience = 2 * time.Minute
)

// Options that are not those of a cluster by default.
type Options struct {
	// Audit has it write an audit log, as the manifests do not.
	Audit bool
	// ActAs says as whom it asks the control plane; empty for the default of the manifests.
	ActAs config.ActAs
	// ShutdownDelay is how long it goes on after a signal; 0 for not at all, which is not what the manifests have.
	ShutdownDelay time.Duration
}

// Install the manifests in a control plane, and start the server. Stop it also after an error.
func Install(ctx context.Context, p *plane.Plane, program string, versions []string) (*Server, error) {
	return InstallWith(ctx, p, program, versions, Options{})
}

// InstallWith options.
func InstallWith(ctx context.Context, p *plane.Plane, program string, versions []string, o Options) (*Server, error) {
	folder, err := os.MkdirTemp("", "claimbridge-apiserver-")
	if err != nil {
		return nil, err
	}
	s := &Server{Versions: versions, plane: p, folder: folder, program: program, actAs: cmp.Or(o.ActAs, config.Caller), delay: o.ShutdownDelay}
	if o.Audit {
		s.Audit = filepath.Join(folder, "audit.log")
	}
	if err := s.install(ctx); err != nil {
		return s, fmt.Errorf("install the aggregated API server: %w", err)
	}
	return s, s.Start(ctx)
}

func (s *Server) install(ctx context.Context) error {
	port, err := plane.FreePort()
	if err != nil {
		return err
	}
	s.Address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	ca, err := plane.NewAuthority("claimbridge-ca")
	if err != nil {
		return err
	}
	s.CA = ca.Certificate
	serving, err := ca.Issue(account, account+"."+config.DefaultNamespace+".svc", "localhost")
	if err != nil {
		return err
	}
	manifests, err := manifests(config.AggregatedOptions{Certificates: config.Files, CABundle: s.CA, Versions: s.Versions, ActAs: s.actAs}, port)
	if err != nil {
		return err
	}
	if err := s.plane.Apply(ctx, manifests); err != nil {
		return err
	}
	token, err := s.plane.Token(ctx, config.DefaultNamespace, account, nil)
	if err != nil {
		return err
	}
	kubeconfig, err := s.plane.Kubeconfig(token, config.DefaultNamespace)
	if err != nil {
		return err
	}
	audit := `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","omitStages":["RequestReceived"],"rules":[{"level":"Metadata"}]}`
	for name, data := range map[string][]byte{
		"tls.crt": serving.Certificate, "tls.key": serving.Key, "kubeconfig": kubeconfig, "audit.yaml": []byte(audit),
	} {
		if err := os.WriteFile(filepath.Join(s.folder, name), data, 0o600); err != nil {
			return err
		}
	}
	s.args = s.flags(port)
	return nil
}

// Start the process, and wait until the API server has found it.
func (s *Server) Start(ctx context.Context) error {
	s.log = &lines{}
	s.process = exec.CommandContext(context.WithoutCancel(ctx), s.program, s.args...)
	s.process.Env = os.Environ()
	if os.Getenv(memoryVariable) == "" {
		s.process.Env = append(s.process.Env, fmt.Sprintf("%s=%d", memoryVariable, MemoryLimit))
	}
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		return err
	}
	s.ended = make(chan error, 1)
	go func() { s.ended <- s.process.Wait() }()
	if err := s.available(ctx); err != nil {
		return fmt.Errorf("%w; the server's log ends with:\n%s", err, s.log.last())
	}
	return nil
}

// End the process as a kubelet does, and wait for it.
func (s *Server) End() error {
	if s.process == nil {
		return nil
	}
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	defer func() { s.process = nil }()
	select {
	case err := <-s.ended:
		return err
	case <-time.After(patience):
		return errors.Join(fmt.Errorf("the aggregated API server does not end, its log ends with:\n%s", s.log.last()), s.process.Process.Kill())
	}
}

// Stop it for good.
func (s *Server) Stop() error { return errors.Join(s.End(), os.RemoveAll(s.folder)) }

// Peak is the most memory that the process had at once, in bytes.
func (s *Server) Peak() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	kib, err := strconv.ParseInt(number, 10, 64)
	return kib << 10, err
}

// Log that it wrote since it was started.
func (s *Server) Log() string { return s.log.String() }

func (s *Server) flags(port int) []string {
	file := func(name string) string { return filepath.Join(s.folder, name) }
	flags := []string{
		"--kubeconfig=" + file("kubeconfig"), "--authentication-kubeconfig=" + file("kubeconfig"), "--authorization-kubeconfig=" + file("kubeconfig"),
		"--versions=" + joined(s.Versions), "--act-as=" + string(s.actAs), "--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(port),
		"--tls-cert-file=" + file("tls.crt"), "--tls-private-key-file=" + file("tls.key"),
		"--shutdown-delay-duration=" + s.delay.String(),
	}
	if s.Audit != "" {
		flags = append(flags, "--audit-policy-file="+file("audit.yaml"), "--audit-log-path="+s.Audit)
	}
	return flags
}

// lines that a process writes, from several goroutines of os/exec.
type lines struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(data []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.Buffer.Write(data)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.Buffer.String()
}

func (l *lines) last() string {
	const some = 4000
	text := l.String()
	return text[max(0, len(text)-some):]
}
