//go:build e2e

package preflight

import (
	"context"
	"os"
	"regexp"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var patchOfPage = regexp.MustCompile(`(?s)kubectl patch crd .*? --type=json -p '(\[.*?\])'`)

// expectRemovable checks that the patch of the page removes a conversion that an uninstall left.
func (i *installation) expectRemovable(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	patch := patchOfPage.FindSubmatch(page)
	if patch == nil {
		t.Fatal("the page has no patch")
	}
	t.Cleanup(func() { i.restore(t) })
	i.cause(t, faults(t)["an uninstall that left the definitions"])
	for _, definition := range []string{"claims", "templates"} {
		must.Do(t, i.Patch(context.Background(), object(definition), client.RawPatch(types.JSONPatchType, patch[1])))
	}
	i.expect(t, fault{Want: []string{
		"problem webhook-configurations-exist MutatingWebhookConfiguration claimbridge",
		"problem webhook-configurations-exist ValidatingWebhookConfiguration claimbridge",
	}})
	for _, object := range i.objects[len(i.objects)-2:] { // a claim and a template
		metadata := &metav1.PartialObjectMetadata{}
		metadata.SetGroupVersionKind(object.GetObjectKind().GroupVersionKind())
		await.NoError(t, "read "+object.GetName(), func() error {
			return i.Get(context.Background(), client.ObjectKeyFromObject(object), metadata)
		})
	}
	i.remove(t, "claims", "templates")
	i.expect(t, fault{Want: []string{
		"problem cert-manager-is-installed API group cert-manager.io",
		"problem claimbridge-is-installed API group resource.k8s.io",
	}})
}
