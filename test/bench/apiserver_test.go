//go:build linux

package bench

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// cluster is an API server with claims of resource.k8s.io, which claimbridge converts. For each version it also has a
// group whose definition has only that version and the conversion strategy None.
type cluster struct {
	client *http.Client
	host   string
}

// BenchmarkAPIServer compares requests to an API server for a definition that claimbridge converts, and for one with
// the strategy None, which stores the client's version. Both have the same claims.
func BenchmarkAPIServer(b *testing.B) {
	stored := 3000
	if testing.Short() {
		stored = 20
	}
	versions := []string{"v1", "v1beta1", "v1alpha3", "v1alpha1"}
	c := startCluster(b, versions)
	names := c.store(b, stored, versions)
	for _, version := range versions {
		for _, by := range []string{ours, "none"} {
			path := claimsPathOf(by, version)
			b.Run("what=list/version="+version+"/by="+by, func(b *testing.B) {
				load(b, 1, func(int) error { return send(c.client, http.MethodGet, c.host+path, nil, io.Discard) })
			})
			b.Run("what=get/version="+version+"/by="+by, func(b *testing.B) {
				load(b, 1, func(i int) error {
					return send(c.client, http.MethodGet, c.host+path+"/"+names[i%len(names)], nil, io.Discard)
				})
			})
			b.Run("what=patch/version="+version+"/by="+by, func(b *testing.B) {
				load(b, 1, func(i int) error {
					patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"example.com/written":%q}}}`, now())
					return send(c.client, http.MethodPatch, c.host+path+"/"+names[i%len(names)], patch, io.Discard)
				})
			})
		}
	}
}

// startCluster starts an API server and claimbridge. Their definitions are those of config/crd.
func startCluster(b *testing.B, versions []string) cluster {
	b.Helper()
	b.Setenv(controlplane.EnvAssets, must.Get(controlplane.Assets(b.Context()))(b))
	p := plane.New(b, plane.Options{RuntimeConfig: plane.WithoutClaims})
	config := rest.CopyConfig(p.Config)
	config.DisableCompression = true
	c := cluster{client: must.Get(rest.HTTPClientFor(config))(b), host: p.Config.Host}
	webhook := serve(b, ours)
	definition := readDefinition(b)
	definition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				URL:      new(webhook.url + "/convert"),
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: webhook.ca.Raw}),
			},
		},
	}
	c.define(b, definition, claimsPathOf(ours, "v1"))
	for _, version := range versions {
		c.define(b, withoutConversion(b, version), claimsPathOf("none", version))
	}
	return c
}

// define creates a definition and waits until claims can be listed.
func (c cluster) define(b *testing.B, definition *apiextensionsv1.CustomResourceDefinition, path string) {
	b.Helper()
	const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	body := must.Get(json.Marshal(definition))(b)
	must.Do(b, send(c.client, http.MethodPost, c.host+definitions, body, io.Discard))
	await.NoError(b, path, func() error { return send(c.client, http.MethodGet, c.host+path, nil, io.Discard) })
}

func readDefinition(b *testing.B) *apiextensionsv1.CustomResourceDefinition {
	b.Helper()
	definition := &apiextensionsv1.CustomResourceDefinition{}
	text := must.Get(os.ReadFile("../../config/crd/bases/resource.k8s.io_resourceclaims.yaml"))(b)
	must.Do(b, yaml.UnmarshalStrict(text, definition))
	return definition
}

// withoutConversion returns the definition of one version in a separate group. It has no subresource, so that a create
// stores the status.
func withoutConversion(b *testing.B, version string) *apiextensionsv1.CustomResourceDefinition {
	b.Helper()
	definition := readDefinition(b)
	definition.Spec.Group = groupWithoutConversion(version)
	definition.Name = definition.Spec.Names.Plural + "." + definition.Spec.Group
	definition.Spec.Versions = slices.DeleteFunc(definition.Spec.Versions,
		func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name != version })
	definition.Spec.Versions[0].Storage = true
	definition.Spec.Versions[0].Subresources = nil
	return definition
}

func groupWithoutConversion(version string) string { return version + ".example.com" }

func claimsPathOf(by, version string) string {
	if by == ours {
		return claimsPath(version)
	}
	return "/apis/" + groupWithoutConversion(version) + "/" + version + "/namespaces/default/resourceclaims"
}

// store claims in v1, and what the API server returns for them in each version in the group of that version. It returns
// the names of the claims.
func (c cluster) store(b *testing.B, n int, versions []string) (names []string) {
	b.Helper()
	var claims [][]byte
	for i, claim := range claimsOf(b, "v1", n, 2<<10) {
		names = append(names, fmt.Sprintf("trainer-%d-gpu", i))
		claims = append(claims, withoutServerFields(b, claim))
	}
	path := claimsPathOf(ours, "v1")
	inParallel(b, n, func(i int) error {
		if err := send(c.client, http.MethodPost, c.host+path, claims[i], io.Discard); err != nil {
			return err
		}
		return send(c.client, http.MethodPatch, c.host+path+"/"+names[i]+"/status", claims[i], io.Discard)
	})
	for _, version := range versions {
		var list struct{ Items []json.RawMessage }
		answer := must.Get(ask(c.client, http.MethodGet, c.host+claimsPathOf(ours, version), nil))(b)
		must.Do(b, json.Unmarshal(answer, &list))
		if len(list.Items) != n {
			b.Fatalf("%s: %d claims, want %d", version, len(list.Items), n)
		}
		inParallel(b, n, func(i int) error {
			claim := bytes.Replace(list.Items[i], []byte(`"`+api.Group+"/"),
				[]byte(`"`+groupWithoutConversion(version)+"/"), 1)
			body := withoutServerFields(b, claim)
			return send(c.client, http.MethodPost, c.host+claimsPathOf("none", version), body, io.Discard)
		})
	}
	return names
}

func inParallel(b *testing.B, n int, do func(i int) error) {
	b.Helper()
	var group errgroup.Group
	group.SetLimit(16)
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	must.Do(b, group.Wait())
}

// withoutServerFields returns a claim without what only an API server sets.
func withoutServerFields(b *testing.B, claim []byte) []byte {
	b.Helper()
	var object map[string]any
	must.Do(b, json.Unmarshal(claim, &object))
	for _, field := range []string{"managedFields", "namespace", "resourceVersion", "uid", "generation"} {
		delete(object["metadata"].(map[string]any), field)
	}
	return must.Get(json.Marshal(object))(b)
}
