package cli

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

// serveProcess is `claimbridge serve` in a separate process.
type serveProcess struct {
	cmd    *exec.Cmd
	client *http.Client
	url    string
	// metrics is the host:port of the metrics endpoint, or "none".
	metrics string
	release string // Kubernetes release whose rules apply, from the log
	logged  *bufio.Scanner
}

// serve starts the server on a free port and waits for it. The test binary is claimbridge, see TestMain.
func serve(t *testing.T, args ...string) *serveProcess {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.crt")
	args = append([]string{
		"serve", "--bind-address=127.0.0.1", "--secure-port=0", "--metrics-bind-address=0",
		"--health-probe-bind-address=0", "--logging-format=json", "--ca-file=" + ca,
	}, args...)
	s := &serveProcess{cmd: exec.CommandContext(t.Context(), "claimbridge", args...)}
	stderr := must.Get(s.cmd.StderrPipe())(t)
	must.Do(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.logged = bufio.NewScanner(stderr)
	entry := s.await(t, "Serving")
	s.url, s.metrics = "https://"+entry["address"].(string), entry["metrics"].(string)
	s.release, _ = entry["kubernetesRelease"].(string)
	pem := must.Get(os.ReadFile(ca))(t)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatalf("%s holds no certificate", ca)
	}
	s.client = &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
	}
	return s
}

// await returns the next log entry with a message.
func (s *serveProcess) await(t *testing.T, message string) map[string]any {
	t.Helper()
	for s.logged.Scan() {
		var line map[string]any
		if err := json.Unmarshal(s.logged.Bytes(), &line); err != nil {
			t.Fatalf("not a line of JSON: %s", s.logged.Text())
		}
		if line["msg"] == message {
			return line
		}
	}
	t.Fatalf("the log has no %q", message)
	return nil
}

func (s *serveProcess) do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	request := must.Get(http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body)))(t)
	request.Header.Set("Content-Type", "application/json")
	response := must.Get(s.client.Do(request))(t)
	defer func() { _ = response.Body.Close() }()
	content := must.Get(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(content)
}

func TestServeConvertsUntilASignal(t *testing.T) {
	s := serve(t, "--group=claims.example.com", "--shutdown-delay=10s")
	if status, body := s.do(t, http.MethodGet, "/readyz", ""); status != http.StatusOK || body != "ok" {
		t.Errorf("/readyz: %d %s", status, body)
	}
	for _, v := range api.Versions() {
		status, body := s.do(t, http.MethodPost, "/convert",
			`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{
			"uid":"1","desiredAPIVersion":"claims.example.com/`+v.Name+
				`","objects":[{"apiVersion":"claims.example.com/v1alpha2",
			"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"x"}}]}}`)
		if status != http.StatusOK || !strings.Contains(body, `ClassName":"x"`) ||
			!strings.Contains(body, `"Success"`) {
			t.Errorf("/convert to %s: %d %s", v.Name, status, body)
		}
	}
	must.Do(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.await(t, "Stopping")
	if status, _ := s.do(t, http.MethodGet, "/readyz", ""); status == http.StatusOK {
		t.Error("/readyz is still ok while the server stops")
	}
	if status, _ := s.do(t, http.MethodGet, "/livez", ""); status != http.StatusOK {
		t.Errorf("/livez is %d while the server stops, want 200", status)
	}
	s.await(t, "Stopped")
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, want exit code 0", err)
	}
}

func TestSecondSignalTerminatesTheServer(t *testing.T) {
	s := serve(t, "--shutdown-delay=1h")
	for _, wait := range []string{"Stopping", ""} {
		must.Do(t, s.cmd.Process.Signal(syscall.SIGINT))
		if wait != "" {
			s.await(t, wait)
		}
	}
	defer time.AfterFunc(time.Minute, func() { _ = s.cmd.Process.Kill() }).Stop()
	err := s.cmd.Wait()
	if status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("ended with %v, want by the signal", err)
	}
}

func TestServeLogsWhyItFails(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "claimbridge", "serve", "--secure-port=0", "--metrics-bind-address=0",
		"--health-probe-bind-address=0", "--logging-format=json", "--cert-dir="+t.TempDir())
	output, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitFailed {
		t.Errorf("%v, want exit code %d", err, exitFailed)
	}
	var line map[string]any
	if err := json.Unmarshal(output, &line); err != nil || !strings.Contains(line["err"].(string), "tls.crt") {
		t.Errorf("not one line of JSON that names the file: %s", output)
	}
}

// TestFlagsSetOptions checks that each flag sets its option, and that the defaults of flags are those of the server.
func TestFlagsSetOptions(t *testing.T) {
	defaults := webhook.Options{
		Groups:        []string{"resource.k8s.io"},
		BindAddress:   "0.0.0.0",
		SecurePort:    9443,
		TLSMinVersion: "VersionTLS12", MetricsBindAddress: "127.0.0.1:8080", HealthProbeBindAddress: ":8081",
		MaxRequestBytes: 16 << 20, ShutdownTimeout: 30 * time.Second,
	}
	but := func(change func(*webhook.Options)) webhook.Options {
		o := defaults
		change(&o)
		return o
	}
	tests := map[string]struct {
		args         []string
		want         webhook.Options
		certificates certificateOpener
	}{
		"defaults": {want: defaults, certificates: certs.InMemory{}},
		"certificate files": {
			args: []string{
				"--tls-cert-file=c", "--tls-private-key-file=k", "--group=a.example.com", "--group=*", "--bind-address=::1",
				"--secure-port=0", "--disable-http2-serving", "--tls-min-version=VersionTLS13",
				"--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
				"--metrics-bind-address=:8443",
				"--kubeconfig=q",
				"--health-probe-bind-address=127.0.0.1:9",
				"--max-request-bytes=1Mi",
				"--max-inflight-bytes=3Mi",
				"--keep-metadata",
				"--shutdown-delay=10s",
				"--shutdown-idle-timeout=95s",
				"--shutdown-timeout=1m",
			},
			want: webhook.Options{
				Groups: []string{"a.example.com", "*"}, BindAddress: "::1", SecurePort: -1, DisableHTTP2: true,
				TLSMinVersion: "VersionTLS13", CipherSuites: []string{"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
				MetricsBindAddress: ":8443", HealthProbeBindAddress: "127.0.0.1:9", Kubeconfig: "q",
				MaxRequestBytes: 1 << 20, MaxInFlightBytes: 3 << 20, KeepMetadata: true,
				ShutdownDelay: 10 * time.Second, ShutdownIdleTimeout: 95 * time.Second, ShutdownTimeout: time.Minute,
			},
			certificates: certs.Files{CertFile: "c", KeyFile: "k"},
		},
		"certificate directory": {
			args:         []string{"--cert-dir=d"},
			want:         defaults,
			certificates: certs.Files{CertFile: filepath.Join("d", "tls.crt"), KeyFile: filepath.Join("d", "tls.key")},
		},
		"own authority": {
			args:         []string{"--ca-file=f", "--tls-dns-names=a.b.svc,c"},
			want:         defaults,
			certificates: certs.InMemory{CAFile: "f", DNSNames: []string{"a.b.svc", "c"}},
		},
		"shared CA": {
			args: []string{
				"--certificate-secret=n/s", "--tls-dns-names=a.b.svc", "--webhook-configuration=w",
				"--ca-validity=9h", "--certificate-validity=2h", "--kubeconfig=q",
			},
			want: but(func(o *webhook.Options) { o.Kubeconfig = "q" }),
			certificates: certs.InSecret{
				Namespace:            "n",
				Name:                 "s",
				DNSNames:             []string{"a.b.svc"},
				CRDs:                 []string{"resourceclaims.resource.k8s.io", "resourceclaimtemplates.resource.k8s.io"},
				WebhookConfiguration: "w",
				CAValidity:           9 * time.Hour, Validity: 2 * time.Hour, Kubeconfig: "q",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := newServeOptions()
			c := newCommand("serve", "", nil, nil)
			o.addFlags(&c.NamedFlagSets)
			must.Do(t, c.build().ParseFlags(test.args))
			must.Do(t, o.check())
			got := o.webhook()
			diff := cmp.Diff(test.want, got, cmpopts.IgnoreFields(webhook.Options{}, "Logger", "Version"))
			if diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.certificates, o.certificates()); diff != "" {
				t.Error(diff)
			}
			if got.Version != build.Version() {
				t.Errorf("version %v", got.Version)
			}
		})
	}
}

// TestServeLogsTheRelease checks that the log has the Kubernetes release whose rules apply.
func TestServeLogsTheRelease(t *testing.T) {
	for flag, want := range map[string]string{
		"--kubernetes-release=v1.34.2": "1.34",
		"--group=claims.example.com":   "of each version",
	} {
		if got := serve(t, flag).release; got != want {
			t.Errorf("%s: %q, want %q", flag, got, want)
		}
	}
}
