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

var documentedPatch = regexp.MustCompile(`(?s)kubectl patch crd .*? --type=json -p '(\[.*?\])'`)

// expectRemovableConversion checks that the patch in docs/preflight.md removes a conversion that an uninstall left in
// the definitions.
func (i *installation) expectRemovableConversion(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	match := documentedPatch.FindSubmatch(page)
	if match == nil {
		t.Fatalf("docs/preflight.md has no command that matches %s", documentedPatch)
	}
	t.Cleanup(func() { i.restore(t) })
	i.cause(t, readFaults(t)["an uninstall that left the definitions"])
	for _, definition := range []string{"claims", "templates"} {
		must.Do(t, i.Patch(context.Background(), objectFor(definition), client.RawPatch(types.JSONPatchType, match[1])))
	}
	i.expect(t, fault{Want: []string{
		"problem webhook-configurations-exist MutatingWebhookConfiguration claimbridge",
		"problem webhook-configurations-exist ValidatingWebhookConfiguration claimbridge",
	}})
	for _, object := range i.claimAndTemplate() {
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
