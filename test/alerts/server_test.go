//go:build e2e

package alerts

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	var err error
	if builds.folder, err = os.MkdirTemp("", "claimbridge-alerts-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // TestMain
	}
	code := controlplane.Main(m)
	_ = os.RemoveAll(builds.folder) // a folder for temporary files
	os.Exit(code)                   //nolint:forbidigo // TestMain
}

// patience with a machine that does other things as well.
const patience = 2 * time.Minute

// builds are the programs of the project, each built once for all tests.
var builds struct {
	mutex  sync.Mutex
	folder string
	built  map[string]bool
}

func program(t *testing.T, name string) string {
	t.Helper()
	builds.mutex.Lock()
	defer builds.mutex.Unlock()
	file := filepath.Join(builds.folder, name)
	if builds.built[name] {
		return file
	}
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", file, "../../cmd/"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if builds.built == nil {
		builds.built = map[string]bool{}
	}
	builds.built[name] = true
	return file
}

// server is a process of claimbridge serve.
type server struct {
	target
	address string // of its webhooks
	group   string // that it serves; none for resource.k8s.io
	process *os.Process
}

// serve with some environment and flags.
func serve(t *testing.T, environ []string, flags ...string) *server {
	t.Helper()
	port, metrics := plane.Port(t), plane.Port(t)
	s := &server{address: fmt.Sprintf("127.0.0.1:%d", port), target: target{url: fmt.Sprintf("http://127.0.0.1:%d/metrics", metrics)}}
	args := append([]string{"serve", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), fmt.Sprintf("--metrics-bind-address=127.0.0.1:%d", metrics)}, flags...)
	s.process = run(t, program(t, "claimbridge"), append([]string{"KUBECONFIG=", "HOME=" + t.TempDir()}, environ...), args...)
	awaitOK(t, s.url, "")
	await(t, s.address, func(ctx context.Context) bool {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
	return s
}

// run a program until the test ends.
func run(t *testing.T, file string, environ []string, args ...string) *os.Process {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), file, args...)
	var log bytes.Buffer
	command.Stdout, command.Stderr, command.Env = &log, &log, append(os.Environ(), environ...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGCONT)
		_ = command.Process.Kill() // nothing of it is looked at any more
		<-ended                    //nolint:errcheck // killed
		if t.Failed() {
			text := log.String()
			t.Logf("%s wrote at the end:\n%s", filepath.Base(file), text[max(0, len(text)-3000):])
		}
	})
	return command.Process
}

// awaitOK of a server that has just been started.
func awaitOK(t *testing.T, url, token string) {
	t.Helper()
	await(t, url, func(ctx context.Context) bool {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := insecure.Do(request)
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

// await something.
func await(t *testing.T, what string, is func(context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for !is(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within %s", what, patience)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// post a review, of the group that is served; the answer is looked at by the metrics.
func (s *server) post(t *testing.T, path, body string) (answer string) {
	t.Helper()
	if s.group != "" {
		body = strings.ReplaceAll(body, "resource.k8s.io", s.group)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+s.address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := insecure.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// convert an object to a version.
func (s *server) convert(t *testing.T, to, object string) string {
	t.Helper()
	return s.post(t, "/convert", `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"resource.k8s.io/`+to+`","objects":[`+object+`]}}`)
}

// create an object of a version, as an API server asks.
func (s *server) create(t *testing.T, path, version, kind, object string) string {
	t.Helper()
	return s.post(t, path, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","kind":{"group":"resource.k8s.io","version":"`+version+`","kind":"`+kind+
		`"},"resource":{"group":"resource.k8s.io","version":"`+version+`","resource":"resourceclaims"},"operation":"CREATE","name":"a","namespace":"ns","userInfo":{"username":"u"},"object":`+object+`,"oldObject":null}}`)
}

// claim of a version, with more in its metadata and behind it.
func claim(version, metadata, rest string) string {
	return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"a","namespace":"ns","uid":"u"` + metadata + `},` + rest + `}`
}

const (
	classic = `"spec":{"resourceClassName":"gpu.example.com"}`
	today   = `"spec":{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"gpu.example.com","allocationMode":"ExactCount","count":1}}]}}`
)

// ordinary use: claims go up and down, are written, and are refused for what is wrong with them.
func (s *server) ordinary(t *testing.T) {
	t.Helper()
	for _, version := range []string{"v1", "v1beta1", "v1alpha3"} {
		s.convert(t, version, claim("v1alpha1", "", classic))
	}
	s.convert(t, "v1alpha1", claim("v1", "", today))
	s.convert(t, "v1", s.object(t, s.convert(t, "v1alpha2", claim("v1", "", today))))
	s.create(t, "/validate", "v1", "ResourceClaim", claim("v1", "", today))
	s.create(t, "/default", "v1", "ResourceClaim", claim("v1", "", today))
	s.create(t, "/default", "v1alpha3", "ResourceClaim", claim("v1alpha3", "", `"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}]}}`))
	s.create(t, "/validate", "v1alpha2", "ResourceClaim", claim("v1alpha2", "", `"spec":{"resourceClassName":"Not a name"}`))
}

// object that a review was answered with.
func (s *server) object(t *testing.T, answer string) string {
	t.Helper()
	_, object, ok := strings.Cut(answer, `"convertedObjects":[`)
	end := strings.LastIndex(object, `]`)
	if !ok || end < 0 {
		t.Fatalf("nothing was converted: %s", answer)
	}
	// The list ends where brackets that began outside of it would close.
	depth := 0
	for i, r := range object {
		switch r {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return object[:i+1]
			}
		}
	}
	t.Fatalf("no object in %s", answer)
	return ""
}
