//go:build e2e

package alerts

import (
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

// cluster is a control plane with the objects that a test installs.
type cluster struct {
	*plane.Plane
	client *http.Client
}

func start(t *testing.T) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}})
	client := must.Get(rest.HTTPClientFor(p.Config))(t)
	return &cluster{p, client}
}

// metricsOf kube-apiserver.
func (c *cluster) apiServer() target { return target{url: c.Config.Host + "/metrics", token: "admin"} }

// do sends a request and ignores the status of the response.
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

// apply manifests.
func (c *cluster) apply(t *testing.T, text []byte, err error) {
	t.Helper()
	if err == nil {
		err = c.Apply(t.Context(), string(text))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// remove an object by its path.
func (c *cluster) remove(t *testing.T, path string) {
	t.Helper()
	if status, text := c.do(t.Context(), t, http.MethodDelete, path, ""); status != http.StatusOK {
		t.Fatalf("delete %s: %d %s", path, status, text)
	}
}

// kubeconfig of the server's account.
func (c *cluster) kubeconfig(t *testing.T) string {
	t.Helper()
	token := must.Get(c.Token(t.Context(), config.DefaultNamespace, "claimbridge", nil))(t)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	must.Do(t, os.WriteFile(file, c.KubeconfigOf(t, token, config.DefaultNamespace), 0o600))
	return file
}

// claims of a version, and a body that creates one.
func claims(version string) string {
	return "/apis/" + group + "/" + version + "/namespaces/default/resourceclaims"
}

func created(version, name, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"ResourceClaim","metadata":{"%s":"%s","namespace":"default"},%s}`,
		group, version,
		map[bool]string{true: "generateName", false: "name"}[strings.HasSuffix(name, "-")], name, spec)
}

// serve claims of the cluster with the rights that the account of the server has there.
func (c *cluster) serve(t *testing.T) *server {
	t.Helper()
	s := serve(t, nil, "--group="+group, "--kubeconfig="+c.kubeconfig(t),
		"--certificate-secret="+config.DefaultNamespace+"/claimbridge-ca",
		"--tls-dns-names=claimbridge."+config.DefaultNamespace+".svc")
	s.group = group
	return s
}

// webhooks installs the webhook server in the cluster, with a port of this machine where its Service leads.
func (c *cluster) webhooks(t *testing.T) *server {
	t.Helper()
	o := config.Options{Group: group, Certificates: config.Self, Only: config.ServerPart}
	text, err := config.Manifests(o)
	c.apply(t, text, err)
	must.Do(t,
		c.Apply(t.Context(),
			"{apiVersion: v1, kind: Service, metadata: {name: claimbridge, namespace: "+config.DefaultNamespace+
				"}, spec: {type: ExternalName, externalName: localhost}}"))
	s := c.serve(t)
	_, port, _ := strings.Cut(s.address, ":")
	for _, o.Only = range []config.Part{config.CRDsPart, config.WebhooksPart} {
		text, err := config.Manifests(o)
		c.apply(t, []byte(strings.ReplaceAll(string(text), "port: 443\n", "port: "+port+"\n")), err)
	}
	return s
}

// served waits until the API server calls the server. No client requests claims before the caBundle is set: an API
// server keeps calling with the old definition for a while.
func (c *cluster) served(t *testing.T) {
	t.Helper()
	await.True(t, "both definitions have a bundle", func() bool {
		_, definitions := c.do(t.Context(), t, http.MethodGet,
			"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "")
		return strings.Count(definitions, `"caBundle":"LS0t`) == 2
	})
	c.comesTo(t, "a claim of v1alpha2", http.MethodPost, claims("v1alpha2"), created("v1alpha2", "old", classic),
		http.StatusCreated)
	// whose bundle comes last
	c.comesTo(t, "the mutating webhook", http.MethodPost, claims("v1"), created("v1", "Not a name", today),
		http.StatusUnprocessableEntity)
	c.comesTo(t, "the validating webhook", http.MethodPost, claims("v1alpha2"),
		created("v1alpha2", "bad", `"spec":{"resourceClassName":"Not a name"}`), http.StatusUnprocessableEntity)
}

// comesTo waits until a request returns a status, or a conflict with an earlier one.
func (c *cluster) comesTo(t *testing.T, what, method, path, body string, want int) {
	t.Helper()
	await.NoError(t, what, func() error {
		status, text := c.do(t.Context(), t, method, path, body)
		if status != want && (want != http.StatusCreated || status != http.StatusConflict) {
			return fmt.Errorf("%d %s", status, text)
		}
		return nil
	})
}

// ordinary use of the server by way of the API server.
func (c *cluster) ordinary(t *testing.T) {
	t.Helper()
	for _, request := range []struct {
		method, path, body string
		status             int
	}{
		{http.MethodPost, claims("v1alpha1"), created("v1alpha1", "a", classic), http.StatusCreated},
		{http.MethodGet, claims("v1alpha2") + "/a", "", http.StatusOK},
		{http.MethodGet, claims("v1beta1"), "", http.StatusOK},
		{http.MethodPost, claims("v1"), created("v1", "Not a name", today), http.StatusUnprocessableEntity},
		{
			http.MethodPost,
			claims("v1alpha2"),
			created("v1alpha2", "b", `"spec":{"resourceClassName":"Not a name"}`),
			http.StatusUnprocessableEntity,
		},
		{http.MethodDelete, claims("v1") + "/a", "", http.StatusOK},
	} {
		if status, text := c.do(t.Context(), t, request.method, request.path, request.body); status != request.status {
			t.Fatalf("%s %s: %d, want %d\n%s", request.method, request.path, status, request.status, text)
		}
	}
}
