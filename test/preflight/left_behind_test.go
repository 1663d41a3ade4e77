//go:build e2e

package preflight

import (
	"context"
	"os"
	"regexp"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var patchOfThePage = regexp.MustCompile(`(?s)kubectl patch crd .*? --type=json -p '(\[.*?\])'`)

// The page says how to get rid of a conversion that an uninstall left behind.
func (i *installation) expectRemovable(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	patch := patchOfThePage.FindSubmatch(page)
	if patch == nil {
		t.Fatal("the page has no patch")
	}
	t.Cleanup(func() { i.restore(t) })
	faults["an uninstall that left the definitions"].make(t, i)
	for _, definition := range []*apiextensionsv1.CustomResourceDefinition{theDefinition, theTemplates} {
		definition := definition.DeepCopy()
		must.Do(t, i.Patch(context.Background(), definition, client.RawPatch(types.JSONPatchType, patch[1])))
	}
	i.expect(t, fault{want: []string{
		"problem mutating-configuration-exists" + defaulter, "problem validating-configuration-exists" + judge,
	}})
	for _, object := range i.objects[len(i.objects)-2:] { // a claim and a template
		some := &metav1.PartialObjectMetadata{}
		some.SetGroupVersionKind(object.GetObjectKind().GroupVersionKind())
		i.eventually(t, "read "+object.GetName(), func() error { return i.Get(context.Background(), client.ObjectKeyFromObject(object), some) })
	}
	i.remove(t, theDefinition, theTemplates)
	i.expect(t, fault{want: []string{"problem claimbridge-is-installed API group resource.k8s.io"}})
}
