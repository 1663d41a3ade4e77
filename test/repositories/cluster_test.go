//go:build e2e

package repositories

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // envtest requires one
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// cluster of the target release, which serves only v1 of claims.
type cluster struct {
	dynamic dynamic.Interface
	kinds   meta.RESTMapper
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	p := plane.New(t, plane.Options{})
	discovered := must.Get(discovery.NewDiscoveryClientForConfig(p.Config))(t)
	groups := must.Get(restmapper.GetAPIGroupResources(discovered))(t)
	client := must.Get(dynamic.NewForConfig(p.Config))(t)
	return &cluster{client, restmapper.NewDiscoveryRESTMapper(groups)}
}

// checkAccepted checks that the API server accepts the objects of a file, and returns their number.
func (c *cluster) checkAccepted(t *testing.T, name string, text []byte) int {
	t.Helper()
	all := objects(t, text)
	for _, o := range all {
		if err := c.createDryRun(t, o); err != nil {
			t.Errorf("%s: %s %s: %v", name, o.GetKind(), o.GetName(), err)
		}
	}
	return len(all)
}

// createDryRun creates an object as a dry run. It returns an error for unknown fields, and for fields of claims that
// the API server drops.
func (c *cluster) createDryRun(t *testing.T, o *unstructured.Unstructured) error {
	t.Helper()
	kind := o.GroupVersionKind()
	mapping, err := c.kinds.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	var to dynamic.ResourceInterface = c.dynamic.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace := o.GetNamespace()
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
		c.namespace(t, namespace)
		to = c.dynamic.Resource(mapping.Resource).Namespace(namespace)
	}
	created, err := to.Create(t.Context(), o, metav1.CreateOptions{
		DryRun:          []string{metav1.DryRunAll},
		FieldValidation: metav1.FieldValidationStrict,
	})
	if apierrors.IsAlreadyExists(err) { // for example, a namespace
		return nil
	}
	if err == nil && strings.HasPrefix(o.GetKind(), "ResourceClaim") {
		if difference := missing("spec", o.Object["spec"], created.Object["spec"]); difference != "" {
			return errors.New(difference)
		}
	}
	return err
}

// missing returns a description of the first difference, except for fields that an API server adds.
func missing(path string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for name, value := range want {
			if difference := missing(path+"."+name, value, have[name]); difference != "" {
				return difference
			}
		}
		return ""
	case []any:
		have, _ := got.([]any)
		for i := range want {
			if len(have) != len(want) {
				return fmt.Sprintf("%s: %d items, not %d", path, len(have), len(want))
			}
			if difference := missing(fmt.Sprintf("%s[%d]", path, i), want[i], have[i]); difference != "" {
				return difference
			}
		}
		return ""
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Sprintf("%s is %v, not %v", path, got, want)
	}
	return ""
}

func (c *cluster) namespace(t *testing.T, name string) {
	t.Helper()
	n := &unstructured.Unstructured{
		Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}},
	}
	mapping, err := c.kinds.RESTMapping(n.GroupVersionKind().GroupKind())
	if err == nil {
		_, err = c.dynamic.Resource(mapping.Resource).Create(t.Context(), n, metav1.CreateOptions{})
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

// objects returns the objects of a YAML stream.
func objects(t *testing.T, text []byte) (all []*unstructured.Unstructured) {
	t.Helper()
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		o := &unstructured.Unstructured{}
		err := decoder.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if len(o.Object) > 0 {
			all = append(all, o)
		}
	}
}
