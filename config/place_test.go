package config_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var everyPart = append([]config.Part{""}, config.Parts...)

// Without options, the manifests equal the output of kustomize build.
func TestDefaultsMatchKustomize(t *testing.T) {
	for _, mode := range modes {
		rendered := must.Get(os.ReadFile("rendered/" + string(mode) + ".yaml"))(t)
		if diff := gocmp.Diff(string(rendered), string(manifests(t, config.Options{Certificates: mode}))); diff != "" {
			t.Errorf("%s:\n%s", mode, diff)
		}
	}
	zero, named := manifests(t, config.Options{}), manifests(t, config.Options{
		Group:     "resource.k8s.io",
		Namespace: "claimbridge-system", Image: config.DefaultImage, Certificates: config.CertManager,
	})
	if string(zero) != string(named) {
		t.Error("the zero options differ from explicit defaults")
	}
	policy := must.Get(os.ReadFile("rendered/admission-policy.yaml"))(t)
	self := string(manifests(t, config.Options{Certificates: config.Self}))
	diff := gocmp.Diff(self+"---\n"+string(policy),
		string(manifests(t, config.Options{Certificates: config.Self, AdmissionPolicy: true})))
	if diff != "" {
		t.Errorf("with the policy:\n%s", diff)
	}
}

// customOptions have names that YAML would not read as strings, or that contain a default value.
var customOptions = map[string]config.Options{
	"custom names": {
		Group:     "claims.example.com",
		Namespace: "gpu",
		Image:     "registry.example.com:5000/a/b@sha256:" + strings.Repeat("0a", 32),
	},
	"numbers and words": {Group: "1.2", Namespace: "0", Image: "true"},
	"more numbers":      {Group: "1.2", Namespace: "1e3", Image: "1.5"},
	"defaults within names": {
		Group:     "claimbridge-system.resource.k8s.io",
		Namespace: "claimbridge-system-resource-k8s-io",
		Image:     "claimbridge-system/resource.k8s.io:v0.2.0",
	},
	"a group that needs approval":                 {Group: "claims.k8s.io", Namespace: "off", Image: "null"},
	"a group of kubernetes.io":                    {Group: "claims.kubernetes.io"},
	"a group that ends with k8s.io without a dot": {Group: "notk8s.io"},
	"a group that begins with k8s.io":             {Group: "k8s.io.example.com"},
}

// Exactly the values that depend on options differ from the rendered manifests, and have the right value.
func TestOptionsReplaceEveryValue(t *testing.T) {
	for name, options := range customOptions {
		for _, mode := range modes {
			for _, part := range everyPart {
				t.Run(fmt.Sprintf("%s/%s/%s", name, mode, part), func(t *testing.T) {
					policy := mode == config.Self
					defaults := manifests(t, config.Options{Certificates: mode, Only: part, AdmissionPolicy: policy})
					options.Certificates, options.Only, options.AdmissionPolicy = mode, part, policy
					checkReplacements(t, options, leaves(t, defaults), leaves(t, manifests(t, options)))
				})
			}
		}
	}
}

func checkReplacements(t *testing.T, o config.Options, before, after map[string]any) {
	group := cmp.Or(o.Group, config.DefaultGroup)
	namespace := cmp.Or(o.Namespace, config.DefaultNamespace)
	image := cmp.Or(o.Image, config.DefaultImage)
	if !strings.HasSuffix("."+group, ".k8s.io") && !strings.HasSuffix("."+group, ".kubernetes.io") {
		maps.DeleteFunc(before, func(path string, _ any) bool {
			return strings.HasSuffix(path, "/api-approved.kubernetes.io")
		})
	}
	if !slices.Equal(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))) {
		t.Fatalf("the options add or remove fields: %s",
			gocmp.Diff(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))))
	}
	// All in one pass, because a name may contain another default value.
	replacer := strings.NewReplacer(config.DefaultImage, image, config.DefaultNamespace, namespace, config.DefaultGroup,
		group)
	for path, value := range before {
		want := value
		text, isText := value.(string)
		isProse := strings.HasSuffix(path, "/description") || strings.HasSuffix(path, "/api-approved.kubernetes.io")
		if isText && !isProse {
			want = replacer.Replace(text)
		}
		if after[path] != want {
			t.Errorf("%s: want %#v, got %#v", path, want, after[path])
		}
	}
}

// leaves returns the leaves of all documents by their paths.
func leaves(t *testing.T, stream []byte) map[string]any {
	t.Helper()
	found := map[string]any{}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, member := range value {
				walk(path+"/"+key, member)
			}
		case []any:
			for i, item := range value {
				walk(fmt.Sprintf("%s/%d", path, i), item)
			}
		default:
			found[path] = value
		}
	}
	for i, object := range documents(t, stream) {
		walk(fmt.Sprintf("%d %s", i, object.GetKind()), object.Object)
	}
	if len(found) == 0 {
		t.Fatal("the manifests are empty")
	}
	return found
}
