//go:build e2e

package guard

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest asks for one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

var apiServices = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}

// elsewhere is the spec of an APIService that leads to a server which is away.
const elsewhere = `{"group":"resource.k8s.io","groupPriorityMinimum":100,"versionPriority":9,"insecureSkipTLSVerify":true,"service":{"name":"away","namespace":"default"}`

// One cluster, which goes through what may happen to it.
func TestWhatAClusterServesItselfIsFound(t *testing.T) {
	cluster := plane.New(t, plane.Options{RuntimeConfig: "resource.k8s.io/v1beta2=true"})
	client, err := dynamic.NewForConfig(cluster.Config)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := New(cluster.Config, []string{"v1beta1", "v1beta2"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if err := guard.Store(ctx); err != nil {
		t.Errorf("a cluster with v1: %v", err)
	}
	nobody := rest.CopyConfig(cluster.Config)
	nobody.Impersonate = rest.ImpersonationConfig{UserName: "nobody", Groups: []string{"system:authenticated"}}
	if powerless, err := New(nobody, []string{"v1beta1"}); err != nil {
		t.Error(err)
	} else if err := powerless.Store(ctx); err == nil || !strings.Contains(err.Error(), `User "nobody" cannot get resource "apiservices"`) || !strings.Contains(err.Error(), "claimbridge-apiserver-guard") {
		t.Errorf("without rights the error has to say which, and who gives them: %v", err)
	}

	guard.want(ctx, t, "before anything is installed", map[string]string{"v1beta2": "is served by the cluster itself"})

	service := &unstructured.Unstructured{}
	if err := service.UnmarshalJSON([]byte(`{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1beta1.resource.k8s.io"},"spec":` + elsewhere + `,"version":"v1beta1"}}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Resource(apiServices).Create(ctx, service, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	guard.want(ctx, t, "with an APIService for a version that is not in-tree", map[string]string{"v1beta2": "is served by the cluster itself"})

	patch := `{"metadata":{"labels":{"kube-aggregator.kubernetes.io/automanaged":null}},"spec":` + elsewhere + `}}`
	if _, err := client.Resource(apiServices).Patch(ctx, "v1beta2.resource.k8s.io", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	guard.want(ctx, t, "with an APIService before a version that is in-tree", map[string]string{"v1beta2": "hidden by APIService v1beta2.resource.k8s.io"})
	if found, err := guard.Served(ctx); err != nil || len(found) != 0 {
		t.Errorf("what is hidden must not keep a server from starting: got %v and %v", found, err)
	}

	define(ctx, t, cluster)
	definition := "CustomResourceDefinition resourceclaims.resource.k8s.io"
	guard.want(ctx, t, "with a definition of the group", map[string]string{"v1beta1": definition, "v1beta2": definition})
}

// want versions among the findings, and what is said of each.
func (g *Guard) want(ctx context.Context, t *testing.T, when string, want map[string]string) {
	t.Helper()
	found, err := g.Look(ctx)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	if len(found) != len(want) {
		t.Errorf("%s: want %d findings, got %v", when, len(want), found)
	}
	for _, f := range found {
		if text := want[f.Version]; text == "" || !strings.Contains(f.Text, text) {
			t.Errorf("%s: want %q of %s, got %q", when, text, f.Version, f.Text)
		}
	}
}

func define(ctx context.Context, t *testing.T, cluster *plane.Plane) {
	t.Helper()
	client, err := apiextensions.NewForConfig(cluster.Config)
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{
			Name:        "resourceclaims.resource.k8s.io",
			Annotations: map[string]string{apiextensionsv1.KubeAPIApprovedAnnotation: "unapproved, a test"},
		},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "resource.k8s.io", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "resourceclaims", Singular: "resourceclaim", Kind: "ResourceClaim", ListKind: "ResourceClaimList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1alpha1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}},
			}},
		},
	}
	if _, err := client.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, crd, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
