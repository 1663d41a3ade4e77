//go:build e2e

package alerts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// server is a process of claimbridge serve.
type server struct {
	target
	address string // of its webhooks
	group   string // the API group that it serves; empty for resource.k8s.io
	process *process.Process
}

// serve starts a server with additional environment variables and flags, and waits until it accepts connections.
func serve(t *testing.T, environ []string, flags ...string) *server {
	t.Helper()
	port, metricsPort := plane.Port(t), plane.Port(t)
	s := &server{
		address: fmt.Sprintf("127.0.0.1:%d", port),
		target:  target{url: fmt.Sprintf("http://127.0.0.1:%d/metrics", metricsPort)},
	}
	args := append([]string{
		"serve", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		fmt.Sprintf("--metrics-bind-address=127.0.0.1:%d", metricsPort), "--health-probe-bind-address=0",
	}, flags...)
	s.process = run(t, built.Claimbridge(t), append([]string{"KUBECONFIG=", "HOME=" + t.TempDir()}, environ...),
		args...)
	awaitOK(t, s.url)
	await.NoError(t, s.address, func() error {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address)
		if err == nil {
			_ = connection.Close()
		}
		return err
	})
	return s
}

// run runs a program until the test ends, and then kills it.
func run(t *testing.T, file string, environ []string, args ...string) *process.Process {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), file, args...)
	command.Env = append(os.Environ(), environ...)
	p := process.Start(t, command)
	t.Cleanup(func() { _ = p.Kill() })
	return p
}

// awaitOK waits until a URL returns 200 OK.
func awaitOK(t *testing.T, url string) {
	t.Helper()
	await.NoError(t, url, func() error {
		response, err := insecureClient.Do(target{url: url}.request(t))
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	})
}

// post sends a review, with the API group of the server, and returns the response. It does not check the response:
// the tests read the metrics.
func (s *server) post(t *testing.T, path, body string) string {
	t.Helper()
	if s.group != "" {
		body = strings.ReplaceAll(body, "resource.k8s.io", s.group)
	}
	request := must.Get(http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+s.address+path,
		strings.NewReader(body)))(t)
	request.Header.Set("Content-Type", "application/json")
	response := must.Get(insecureClient.Do(request))(t)
	defer func() { _ = response.Body.Close() }()
	return string(must.Get(io.ReadAll(response.Body))(t))
}

// convert requests the conversion of an object to a version.
func (s *server) convert(t *testing.T, version, object string) string {
	t.Helper()
	return s.post(t, "/convert",
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1",`+
			`"desiredAPIVersion":"resource.k8s.io/`+version+`","objects":[`+object+`]}}`)
}

// reviewCreate sends the AdmissionReview of a create request.
func (s *server) reviewCreate(t *testing.T, path, version, kind, object string) string {
	t.Helper()
	return s.post(t, path,
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1",`+
			`"kind":{"group":"resource.k8s.io","version":"`+version+`","kind":"`+kind+
			`"},"resource":{"group":"resource.k8s.io","version":"`+version+
			`","resource":"resourceclaims"},"operation":"CREATE","name":"a","namespace":"ns",`+
			`"userInfo":{"username":"u"},"object":`+object+`,"oldObject":null}}`)
}

// claim returns the JSON of a claim. The metadata follows other fields and starts with a comma. The members are the
// spec, and optionally the status.
func claim(version, metadata, members string) string {
	return `{"apiVersion":"resource.k8s.io/` + version +
		`","kind":"ResourceClaim","metadata":{"name":"a","namespace":"ns","uid":"u"` + metadata + `},` + members + `}`
}

const (
	classicSpec = `"spec":{"resourceClassName":"gpu.example.com"}`
	v1Spec      = `"spec":{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"gpu.example.com",` +
		`"allocationMode":"ExactCount","count":1}}]}}`
)

// sendNormalRequests sends requests of normal use: conversions in both directions, valid writes, and invalid ones.
func (s *server) sendNormalRequests(t *testing.T) {
	t.Helper()
	for _, version := range []string{"v1", "v1beta1", "v1alpha3"} {
		s.convert(t, version, claim("v1alpha1", "", classicSpec))
	}
	s.convert(t, "v1alpha1", claim("v1", "", v1Spec))
	inV1alpha2 := convertedObject(t, s.convert(t, "v1alpha2", claim("v1", "", v1Spec)))
	s.convert(t, "v1", inV1alpha2)
	s.reviewCreate(t, "/validate", "v1", "ResourceClaim", claim("v1", "", v1Spec))
	s.reviewCreate(t, "/default", "v1", "ResourceClaim", claim("v1", "", v1Spec))
	s.reviewCreate(t, "/default", "v1alpha3", "ResourceClaim",
		claim("v1alpha3", "", `"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}]}}`))
	s.reviewCreate(t, "/validate", "v1alpha2", "ResourceClaim",
		claim("v1alpha2", "", `"spec":{"resourceClassName":"Not a name"}`))
}

// convertedObject returns the object in the response of a conversion.
func convertedObject(t *testing.T, response string) string {
	t.Helper()
	var review struct {
		Response struct{ ConvertedObjects []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(response), &review); err != nil || len(review.Response.ConvertedObjects) != 1 {
		t.Fatalf("got %d converted objects, want 1: %v\n%s", len(review.Response.ConvertedObjects), err, response)
	}
	return string(review.Response.ConvertedObjects[0])
}
