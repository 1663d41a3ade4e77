//go:build e2e

package alerts

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const group = "claims.example.com"

// cluster is a control plane in which a test installs objects.
type cluster struct {
	*plane.Plane
	client *http.Client
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}})
	client := must.Get(rest.HTTPClientFor(p.Config))(t)
	return &cluster{p, client}
}

// apiServer returns the metrics endpoint of kube-apiserver.
func (c *cluster) apiServer() target { return target{url: c.Config.Host + "/metrics", token: "admin"} }

// do sends a request and returns the status and body of the response. If there is no response, the status is 0 and the
// text is the error.
func (c *cluster) do(ctx context.Context, t *testing.T, method, path, body string) (status int, text string) {
	t.Helper()
	request := must.Get(http.NewRequestWithContext(ctx, method, c.Config.Host+path, strings.NewReader(body)))(t)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	data, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(data)
}

// apply applies manifests.
func (c *cluster) apply(t *testing.T, manifests []byte) {
	t.Helper()
	must.Do(t, c.Apply(t.Context(), string(manifests)))
}

// delete deletes the object at a path.
func (c *cluster) delete(t *testing.T, path string) {
	t.Helper()
	if status, text := c.do(t.Context(), t, http.MethodDelete, path, ""); status != http.StatusOK {
		t.Fatalf("delete %s: got status %d, want %d\n%s", path, status, http.StatusOK, text)
	}
}

// kubeconfig writes a kubeconfig file for the server's account and returns its path.
func (c *cluster) kubeconfig(t *testing.T) string {
	t.Helper()
	token := must.Get(c.Token(t.Context(), config.DefaultNamespace, "claimbridge", nil))(t)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(file, c.KubeconfigOf(t, token, config.DefaultNamespace), 0o600))
	return file
}

// claimsPath returns the path of the claims of a version.
func claimsPath(version string) string {
	return "/apis/" + group + "/" + version + "/namespaces/default/resourceclaims"
}

// claimBody returns the body of a request that creates a claim. A name that ends with a hyphen is a generateName.
func claimBody(version, name, spec string) string {
	nameField := "name"
	if strings.HasSuffix(name, "-") {
		nameField = "generateName"
	}
	return fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"ResourceClaim","metadata":{"%s":"%s","namespace":"default"},%s}`,
		group, version, nameField, name, spec)
}

// serve starts the server for the claims of the cluster, with the permissions of the server's account.
func (c *cluster) serve(t *testing.T) *server {
	t.Helper()
	s := serve(t, nil, "--group="+group, "--kubeconfig="+c.kubeconfig(t),
		"--certificate-secret="+config.DefaultNamespace+"/claimbridge-ca",
		"--tls-dns-names=claimbridge."+config.DefaultNamespace+".svc")
	s.group = group
	return s
}

// installWebhooks installs the webhook server in the cluster and starts it on this machine. The Service refers to it.
func (c *cluster) installWebhooks(t *testing.T) *server {
	t.Helper()
	manifests := func(part config.Part) []byte {
		return must.Get(config.Manifests(config.Options{Group: group, Certificates: config.Self, Only: part}))(t)
	}
	c.apply(t, manifests(config.ServerPart))
	c.apply(t, []byte("{apiVersion: v1, kind: Service, metadata: {name: claimbridge, namespace: "+
		config.DefaultNamespace+"}, spec: {type: ExternalName, externalName: localhost}}"))
	s := c.serve(t)
	_, port, _ := strings.Cut(s.address, ":")
	for _, part := range []config.Part{config.CRDsPart, config.WebhooksPart} {
		c.apply(t, bytes.ReplaceAll(manifests(part), []byte("port: 443\n"), []byte("port: "+port+"\n")))
	}
	return s
}

// awaitWebhooks waits until the API server calls the server. It requests no claims before the caBundle is set, because
// an API server keeps using the old definition for a while.
func (c *cluster) awaitWebhooks(t *testing.T) {
	t.Helper()
	await.True(t, "both CRDs have a caBundle", func() bool {
		_, crds := c.do(t.Context(), t, http.MethodGet,
			"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "")
		return strings.Count(crds, `"caBundle":"LS0t`) == 2
	})
	c.awaitStatus(t, "a claim of v1alpha2", http.MethodPost, claimsPath("v1alpha2"),
		claimBody("v1alpha2", "old", classicSpec), http.StatusCreated)
	// The server writes the caBundle of the webhooks last.
	c.awaitStatus(t, "the mutating webhook", http.MethodPost, claimsPath("v1"), claimBody("v1", "Not a name", v1Spec),
		http.StatusUnprocessableEntity)
	c.awaitStatus(t, "the validating webhook", http.MethodPost, claimsPath("v1alpha2"),
		claimBody("v1alpha2", "bad", `"spec":{"resourceClassName":"Not a name"}`), http.StatusUnprocessableEntity)
}

// awaitStatus sends a request until it returns a status. For StatusCreated, a conflict is accepted too: an earlier
// attempt created the object.
func (c *cluster) awaitStatus(t *testing.T, what, method, path, body string, want int) {
	t.Helper()
	await.NoError(t, what, func() error {
		status, text := c.do(t.Context(), t, method, path, body)
		if status != want && (want != http.StatusCreated || status != http.StatusConflict) {
			return fmt.Errorf("got status %d, want %d: %s", status, want, text)
		}
		return nil
	})
}

// sendNormalRequests sends requests of normal use through the API server.
func (c *cluster) sendNormalRequests(t *testing.T) {
	t.Helper()
	for _, request := range []struct {
		method, path, body string
		status             int
	}{
		{http.MethodPost, claimsPath("v1alpha1"), claimBody("v1alpha1", "a", classicSpec), http.StatusCreated},
		{http.MethodGet, claimsPath("v1alpha2") + "/a", "", http.StatusOK},
		{http.MethodGet, claimsPath("v1beta1"), "", http.StatusOK},
		{http.MethodPost, claimsPath("v1"), claimBody("v1", "Not a name", v1Spec), http.StatusUnprocessableEntity},
		{
			http.MethodPost,
			claimsPath("v1alpha2"),
			claimBody("v1alpha2", "b", `"spec":{"resourceClassName":"Not a name"}`),
			http.StatusUnprocessableEntity,
		},
		{http.MethodDelete, claimsPath("v1") + "/a", "", http.StatusOK},
	} {
		if status, text := c.do(t.Context(), t, request.method, request.path, request.body); status != request.status {
			t.Fatalf("%s %s: got status %d, want %d\n%s", request.method, request.path, status, request.status, text)
		}
	}
}
