//go:build e2e

package cluster

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// TestOperationsPage runs the commands of docs/operations.md, which must not damage a claim. test/install tests the
// uninstall.
func TestOperationsPage(t *testing.T) {
	t.Parallel()
	p := *withoutBuiltIn
	p.name, p.group = "operations", "operations.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	o := recordedClaims{p.space(t), readPage(t, &p, "operations.md"), map[string]map[string]*object{}}

	// Some claims are stored in old versions, as in a cluster that was upgraded.
	for _, storage := range versions {
		o.setStorageVersion(t, storage)
		for _, version := range versions {
			name := version + "-in-" + storage
			claim := o.typicalObject(t, version, claimKind, name)
			claim.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: "{}"})
			o.createWithStatus(t, claim)
			o.before[name] = o.getAllVersions(t, claimKind, name)
		}
	}
	o.page.run(t, "Backup", 0)
	o.testRewrite(t)
	o.create(t, o.typicalObject(t, stored, claimKind, busyClaim))
	o.testOutage(t)
}

// recordedClaims is a namespace with claims, and their content before the operations.
type recordedClaims struct {
	space
	page   page
	before map[string]map[string]*object
}

func (o recordedClaims) checkUnchanged(t *testing.T, what string, versions ...string) {
	t.Helper()
	for name, before := range o.before {
		for _, version := range versions {
			got, want := o.get(t, version, claimKind, name), before[version].DeepCopy()
			for _, claim := range []*object{got, want} { // objects stored in this version have no preserved data
				unstructured.RemoveNestedField(claim.Object, "status", "claimbridgeLeftover")
			}
			o.sameContent(t, what+": "+name+" in "+version, got, want)
		}
	}
}

// Chapter of docs/operations.md, and its blocks of commands.
const (
	storedVersionsChapter = "Stored versions"

	listBlock    = 0
	tryBlock     = 1
	rewriteBlock = 2
	finishBlock  = 3
)

// testRewrite runs the commands that store all claims in v1. An object that the API server cannot convert is reported,
// and the others are still rewritten.
func (o recordedClaims) testRewrite(t *testing.T) {
	notMigrated := func() (names []string) {
		for name, claim := range o.claimsInEtcd(t) {
			if claim.version() != stored {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	old := notMigrated()
	if want := len(o.before) / len(versions) * (len(versions) - 1); len(old) != want {
		t.Fatalf("%d of %d claims are stored in old versions, want %d", len(old), len(o.before), want)
	}
	o.page.run(t, storedVersionsChapter, tryBlock)
	if got := notMigrated(); !slices.Equal(got, old) {
		t.Errorf("claims stored in old versions after the dry run: got %v, want %v", got, old)
	}

	rejected := o.claimsInEtcd(t)[old[0]].object
	invalid := set(t, rejected.DeepCopy(), []any{"Example.Com/not valid"}, "metadata", "finalizers")
	o.putInEtcd(t, invalid)
	output, err := o.page.tryRun(t, storedVersionsChapter, rewriteBlock)
	isReported := strings.Contains(output, `The ResourceClaim "`+old[0]+`" is invalid`) &&
		strings.Contains(output, "metadata.finalizers")
	if err == nil || !isReported {
		t.Errorf("rewrite of an invalid claim: got error %v, want a report:\n%s", err, output)
	}
	if got := notMigrated(); !slices.Equal(got, old[:1]) {
		t.Errorf("claims stored in old versions: got %v, want %v", got, old[:1])
	}
	o.putInEtcd(t, rejected)
	o.page.run(t, storedVersionsChapter, rewriteBlock)
	if got := notMigrated(); len(got) > 0 {
		t.Errorf("claims stored in old versions: got %v, want none", got)
	}
	o.checkUnchanged(t, "rewritten", versions...)

	o.page.run(t, storedVersionsChapter, finishBlock)
	list := o.page.run(t, storedVersionsChapter, listBlock)
	if strings.Count(list, "["+stored+"]") != len(plurals) {
		t.Errorf("stored versions: want only %s, got\n%s", stored, list)
	}
}

// busyClaim is the name of the claim that is written during the outage.
const busyClaim = "busy"

func (o recordedClaims) label(t *testing.T, value string) error {
	_, err := o.claims(stored).Patch(t.Context(), busyClaim, types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"a":"`+value+`"}}}`), metav1.PatchOptions{})
	return err
}

func (o recordedClaims) testOutage(t *testing.T) {
	must.Do(t, o.webhook.Stop())
	o.checkUnchanged(t, "the webhook is down", stored)
	if _, err := o.claims("v1alpha1").Get(t.Context(), busyClaim, metav1.GetOptions{}); err == nil {
		t.Error("get in an old version: got no error, want one without the webhook")
	}
	if err := o.label(t, "rejected"); err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
		t.Errorf("write: got error %v, want a failed call of the webhook", err)
	}
	for _, v := range versions { // lists from the watch cache need no conversion
		list, err := o.claims(v).List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
		if err != nil || len(list.Items) < len(o.before) {
			t.Errorf("list of %s from the watch cache: got error %v, want all claims", v, err)
		}
	}
	o.page.run(t, "When the webhook is down", 1)
	await.NoError(t, "write without validation", func() error { return o.label(t, "not-validated") })
	s := o.plane.space(t)
	for range 2 {
		o := s.typicalObject(t, stored, claimKind, "")
		o.SetGenerateName("deleted-")
		s.create(t, o)
	}
	if err := s.claims(stored).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Errorf("delete of a collection: got %v, want no error", err)
	}
	must.Do(t, o.webhook.Resume())
	o.checkUnchanged(t, "the webhook is up again", versions...)
}
