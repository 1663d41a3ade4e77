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
	p := *builtInOff
	p.name, p.group = "operations", "operations.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	o := recordedClaims{p.space(t), readPage(t, &p, "operations.md"), map[string]map[string]*object{}}

	// A cluster with a past: some claims are stored in an old version.
	for _, storage := range versions {
		o.setStorageVersion(t, storage)
		for _, version := range versions {
			name := version + "-in-" + storage
			claim := o.typical(t, version, claimKind, name)
			claim.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: "{}"})
			o.createWithStatus(t, claim)
			o.before[name] = o.everyVersion(t, claimKind, name)
		}
	}
	o.page.run(t, "Backup", 0)
	o.rewrite(t)
	o.create(t, o.typical(t, stored, claimKind, busy))
	o.outage(t)
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
			now, want := o.get(t, version, claimKind, name), before[version].DeepCopy()
			for _, copied := range []*object{now, want} { // what is stored in an old version has no leftover there
				unstructured.RemoveNestedField(copied.Object, "status", "claimbridgeLeftover")
			}
			o.sameContent(t, what+": "+name+" in "+version, now, want)
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

// rewrite runs the commands that store all claims in v1. An object that the API server cannot convert is reported, and
// the others are still rewritten.
func (o recordedClaims) rewrite(t *testing.T) {
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
		t.Errorf("after the dry run %v are stored in old versions, want %v", got, old)
	}

	rejected := o.claimsInEtcd(t)[old[0]].object
	invalid := set(t, rejected.DeepCopy(), []any{"Example.Com/not valid"}, "metadata", "finalizers")
	o.putInEtcd(t, invalid)
	output, err := o.page.try(t, storedVersionsChapter, rewriteBlock)
	reported := strings.Contains(output, `The ResourceClaim "`+old[0]+`" is invalid`) &&
		strings.Contains(output, "metadata.finalizers")
	if err == nil || !reported {
		t.Errorf("an invalid claim is not reported: %v\n%s", err, output)
	}
	if got := notMigrated(); !slices.Equal(got, old[:1]) {
		t.Errorf("%v are stored in old versions, want %v", got, old[:1])
	}
	o.putInEtcd(t, rejected)
	o.page.run(t, storedVersionsChapter, rewriteBlock)
	if got := notMigrated(); len(got) > 0 {
		t.Errorf("%v are stored in old versions", got)
	}
	o.checkUnchanged(t, "rewritten", versions...)

	o.page.run(t, storedVersionsChapter, finishBlock)
	listed := o.page.run(t, storedVersionsChapter, listBlock)
	if strings.Count(listed, "["+stored+"]") != len(plurals) {
		t.Errorf("stored versions:\n%s", listed)
	}
}

// busy is the claim that a client writes continuously.
const busy = "busy"

func (o recordedClaims) label(t *testing.T, value string) error {
	_, err := o.claims(stored).Patch(t.Context(), busy, types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"a":"`+value+`"}}}`), metav1.PatchOptions{})
	return err
}

func (o recordedClaims) outage(t *testing.T) {
	must.Do(t, o.webhook.Stop())
	o.checkUnchanged(t, "the webhook is down", stored)
	if _, err := o.claims("v1alpha1").Get(t.Context(), busy, metav1.GetOptions{}); err == nil {
		t.Error("an old version can be read")
	}
	if err := o.label(t, "refused"); err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
		t.Errorf("a write: %v", err)
	}
	for _, v := range versions { // what is in the watch caches is read all the same
		list, err := o.claims(v).List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
		if err != nil || len(list.Items) < len(o.before) {
			t.Errorf("a list of %s: %v", v, err)
		}
	}
	o.page.run(t, "When the webhook is down", 1)
	await.NoError(t, "write without validation", func() error { return o.label(t, "not-validated") })
	s := o.plane.space(t)
	for range 2 {
		o := s.typical(t, stored, claimKind, "")
		o.SetGenerateName("goes-")
		s.create(t, o)
	}
	if err := s.claims(stored).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Errorf("delete: %v", err)
	}
	must.Do(t, o.webhook.Resume())
	o.checkUnchanged(t, "the webhook is back", versions...)
}
