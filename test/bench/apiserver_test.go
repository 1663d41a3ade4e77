//go:build linux

package bench

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
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

// BenchmarkAPIServer compares requests to an API server for a definition that claimbridge converts with requests for a
// definition of one version with the conversion strategy None. Both have the same claims.
func BenchmarkAPIServer(b *testing.B) {
	count := 3000
	if testing.Short() {
		count = 20
	}
	versions := []string{"v1", "v1beta1", "v1alpha3", "v1alpha1"}
	server := startAPIServer(b, versions)
	names := storeWithAndWithoutConversion(b, server, count, versions)
	for _, version := range versions {
		for _, definition := range []struct{ converter, path string }{
			{claimbridge, claimsPath(version)},
			{"none", claimsPathWithoutConversion(version)},
		} {
			suffix := "/version=" + version + "/by=" + definition.converter
			b.Run("what=list"+suffix, func(b *testing.B) {
				measureCalls(b, 1, func(int) error {
					return server.send(http.MethodGet, definition.path, nil, io.Discard)
				})
			})
			b.Run("what=get"+suffix, func(b *testing.B) {
				measureCalls(b, 1, func(i int) error {
					return server.send(http.MethodGet, definition.path+"/"+names[i%len(names)], nil, io.Discard)
				})
			})
			b.Run("what=patch"+suffix, func(b *testing.B) {
				measureCalls(b, 1, func(i int) error {
					return server.send(http.MethodPatch, definition.path+"/"+names[i%len(names)],
						annotationPatch(timestamp()), io.Discard)
				})
			})
		}
	}
}

// startAPIServer starts an API server and claimbridge. It creates the definitions of config/crd, which claimbridge
// converts, and for each version a group whose definition has only this version and the conversion strategy None.
func startAPIServer(b *testing.B, versions []string) apiClient {
	b.Helper()
	b.Setenv(controlplane.EnvAssets, must.Get(controlplane.Assets(b.Context()))(b))
	p := plane.New(b, plane.Options{RuntimeConfig: plane.WithoutClaims})
	config := rest.CopyConfig(p.Config)
	config.DisableCompression = true
	server := apiClient{must.Get(rest.HTTPClientFor(config))(b), p.Config.Host}
	webhook := startServer(b, claimbridge)
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
	createDefinition(b, server, definition, claimsPath("v1"))
	for _, version := range versions {
		createDefinition(b, server, definitionWithoutConversion(b, version), claimsPathWithoutConversion(version))
	}
	return server
}

// createDefinition creates a definition and waits until its objects can be listed.
func createDefinition(
	b *testing.B, server apiClient, definition *apiextensionsv1.CustomResourceDefinition, objectsPath string,
) {
	b.Helper()
	const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	body := must.Get(json.Marshal(definition))(b)
	must.Do(b, server.send(http.MethodPost, definitionsPath, body, io.Discard))
	await.NoError(b, objectsPath, func() error {
		return server.send(http.MethodGet, objectsPath, nil, io.Discard)
	})
}

func readDefinition(b *testing.B) *apiextensionsv1.CustomResourceDefinition {
	b.Helper()
	definition := &apiextensionsv1.CustomResourceDefinition{}
	text := must.Get(os.ReadFile("../../config/crd/bases/resource.k8s.io_resourceclaims.yaml"))(b)
	must.Do(b, yaml.UnmarshalStrict(text, definition))
	return definition
}

// definitionWithoutConversion returns the definition of one version in a separate group. It has no status subresource,
// so that a create stores the status.
func definitionWithoutConversion(b *testing.B, version string) *apiextensionsv1.CustomResourceDefinition {
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

func claimsPathWithoutConversion(version string) string {
	return "/apis/" + groupWithoutConversion(version) + "/" + version + "/namespaces/default/resourceclaims"
}

// storeWithAndWithoutConversion stores claims in v1 in the group that claimbridge converts. It reads them in each
// version, and stores them in the group of that version. It returns the names of the claims.
func storeWithAndWithoutConversion(b *testing.B, server apiClient, count int, versions []string) (names []string) {
	b.Helper()
	var claims [][]byte
	for i, claim := range generateClaims(b, "v1", count, 2<<10) {
		names = append(names, claimName(i))
		claims = append(claims, withoutServerFields(b, claim))
	}
	path := claimsPath("v1")
	inParallel(b, count, func(i int) error {
		if err := server.send(http.MethodPost, path, claims[i], io.Discard); err != nil {
			return err
		}
		return server.send(http.MethodPatch, path+"/"+names[i]+"/status", claims[i], io.Discard)
	})
	for _, version := range versions {
		var list struct{ Items []json.RawMessage }
		must.Do(b, json.Unmarshal(must.Get(server.get(claimsPath(version)))(b), &list))
		if len(list.Items) != count {
			b.Fatalf("%s: got %d claims, want %d", version, len(list.Items), count)
		}
		inParallel(b, count, func(i int) error {
			claim := bytes.Replace(list.Items[i], []byte(`"`+api.Group+"/"),
				[]byte(`"`+groupWithoutConversion(version)+"/"), 1)
			body := withoutServerFields(b, claim)
			return server.send(http.MethodPost, claimsPathWithoutConversion(version), body, io.Discard)
		})
	}
	return names
}

func inParallel(b *testing.B, count int, do func(i int) error) {
	b.Helper()
	var group errgroup.Group
	group.SetLimit(16)
	for i := range count {
		group.Go(func() error { return do(i) })
	}
	must.Do(b, group.Wait())
}

// withoutServerFields returns a claim without the fields that only an API server sets.
func withoutServerFields(b *testing.B, claim []byte) []byte {
	b.Helper()
	var object map[string]any
	must.Do(b, json.Unmarshal(claim, &object))
	for _, field := range []string{"managedFields", "namespace", "resourceVersion", "uid", "generation"} {
		delete(object["metadata"].(map[string]any), field)
	}
	return must.Get(json.Marshal(object))(b)
}
