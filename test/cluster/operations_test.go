//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// The commands of the page on operations do what it says, and no claim is the worse for them. To uninstall is tried in test/install.
func TestOperationsPage(t *testing.T) {
	t.Parallel()
	p := *builtInOff
	p.name, p.group = "operations", "operations.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	o := operated{p.space(t), readPage(t, &p, "operations.md"), map[string]map[string]*object{}}

	// A cluster with a past: some claims are stored in an old version.
	for _, storage := range versions {
		o.storeIn(t, storage)
		for _, version := range versions {
			name := version + "-in-" + storage
			o.createWithStatus(t, o.typical(t, version, claimKind, name))
			o.before[name] = o.everyVersion(t, claimKind, name)
		}
	}
	o.page.run(t, "Backup", 0)
	o.rewrite(t)
	o.create(t, o.typical(t, stored, claimKind, busy))
	o.outage(t)
}

// operated is a space with claims, and how they were before.
type operated struct {
	space
	page   page
	before map[string]map[string]*object
}

func (o operated) unharmed(t *testing.T, what string, versions ...string) {
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

func (o operated) rewrite(t *testing.T) {
	stale := func() (n int) {
		for _, claim := range o.inEtcd(t) {
			if claim.version() != stored {
				n++
			}
		}
		return n
	}
	old := len(o.before) / len(versions) * (len(versions) - 1)
	if n := stale(); n != old {
		t.Fatalf("%d claims of %d are stored in old versions", n, len(o.before))
	}
	if said := o.page.run(t, "Stored versions", 1); stale() != old || !strings.Contains(said, "nothing was (dry run)") {
		t.Errorf("a dry run left %d of %d:\n%s", stale(), old, said)
	}
	if said := o.page.run(t, "Stored versions", 2); stale() > 0 || !strings.Contains(said, fmt.Sprintf("(written now: %d, so already: %d)", old, len(o.before)-old)) {
		t.Errorf("%d claims still are\n%s", stale(), said)
	}
	o.unharmed(t, "written back", versions...)
	if listed := o.page.run(t, "Stored versions", 0); strings.Count(listed, "["+stored+"]") != len(plurals) {
		t.Errorf("stored versions:\n%s", listed)
	}
}

// busy is the claim that somebody writes to all the time.
const busy = "busy"

func (o operated) label(t *testing.T, value string) error {
	_, err := o.claims(stored).Patch(t.Context(), busy, types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"`+value+`"}}}`), metav1.PatchOptions{})
	return err
}

func (o operated) outage(t *testing.T) {
	must.Do(t, o.webhook.Stop())
	o.unharmed(t, "the webhook is down", stored)
	if _, err := o.claims("v1alpha1").Get(t.Context(), busy, metav1.GetOptions{}); err == nil {
		t.Error("an old version can be read")
	}
	if err := o.label(t, "refused"); err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
		t.Errorf("a write: %v", err)
	}
	for _, v := range versions { // what is in the watch caches is read all the same
		if list, err := o.claims(v).List(t.Context(), metav1.ListOptions{ResourceVersion: "0"}); err != nil || len(list.Items) < len(o.before) {
			t.Errorf("a list of %s: %v", v, err)
		}
	}
	o.page.run(t, "When the webhook is down", 1)
	await.NoError(t, "write unjudged", func() error { return o.label(t, "unjudged") })
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
	o.unharmed(t, "the webhook is back", versions...)
}
