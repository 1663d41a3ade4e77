//go:build e2e

package cluster

import (
	"fmt"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	kube "github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// storedClaims are four pages of what an API server reads at once when its caches come up. Which page the webhook is away in, and how many
// claims come before it, makes no difference to it: what 5,000 cost is measured by make bench.
const storedClaims = 2000

// An API server with thousands of stored claims is restarted: the watch caches of all versions come up through the webhook,
// one claim a call. Then the webhook goes away while clients write, and comes back.
func TestRestartAndAbsence(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: thousands of claims are written, and an API server is restarted")
	}
	t.Parallel()
	p := filled(t)
	s := space{p, metav1.NamespaceDefault}
	before := s.converted(t, s.all(t, stored))

	started := time.Now()
	must.Do(t, p.Restart())
	t.Logf("the API server is back after %s", time.Since(started).Round(time.Millisecond))
	s.compare(t, before)
	t.Logf("all versions are listed %s after the restart began", time.Since(started).Round(time.Millisecond))
	s.away(t)
	s.compare(t, before)
}

// compare all claims of all versions.
func (s space) compare(t *testing.T, want map[string]map[string]*object) {
	t.Helper()
	for _, v := range versions {
		all := s.all(t, v)
		for name, o := range want[v] {
			if now, ok := all[name]; !ok {
				t.Errorf("%s: %s is missing", v, name)
			} else {
				equal(t, v+" "+name, content(now), content(o))
			}
		}
	}
}

// converted to all versions.
func (s space) converted(t *testing.T, claims map[string]*object) map[string]map[string]*object {
	t.Helper()
	all := map[string]map[string]*object{}
	for _, v := range versions {
		all[v] = map[string]*object{}
		for name, o := range claims {
			all[v][name] = s.inVersion(t, o, v)
		}
	}
	return all
}

// filled is a control plane of its own with stored claims: they are written while there is no other version, so that
// nothing needs to be converted, and no status subresource, so that one write is enough.
func filled(t *testing.T) *plane {
	t.Helper()
	p := &plane{name: "filled", group: "resource.k8s.io", Plane: kube.New(t, kube.Options{RuntimeConfig: kube.WithoutClaims})}
	p.client = must.Get(dynamic.NewForConfig(p.Config))(t)
	install(t, p, func(crd *apiextensionsv1.CustomResourceDefinition) {
		crd.Spec.Conversion = nil
		crd.Spec.Versions = slices.DeleteFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return !v.Storage })
		crd.Spec.Versions[0].Subresources = nil
	})
	space{p, metav1.NamespaceDefault}.fill(t)
	started := time.Now()
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{})
	t.Logf("installed beside %d claims in %s", storedClaims, time.Since(started).Round(time.Millisecond))
	return p
}

func (s space) fill(t *testing.T) {
	t.Helper()
	const seed = 1
	source := objects.New(seed)
	var writers errgroup.Group
	writers.SetLimit(8)
	started := time.Now()
	for n := range storedClaims {
		o := s.random(t, source, stored, claimKind, fmt.Sprintf("claim-%04d", n))
		writers.Go(func() error {
			_, err := s.claims(stored).Create(t.Context(), o, metav1.CreateOptions{})
			return err
		})
	}
	must.Do(t, writers.Wait())
	t.Logf("%d claims stored in %s", storedClaims, time.Since(started).Round(time.Millisecond))
}

// written is the annotation that writers set while the webhook goes away.
const written = "example.com/written"

// all claims of a version without it, from its watch cache, which the answer waits for.
func (s space) all(t *testing.T, version string) map[string]*object {
	t.Helper()
	var list *unstructured.UnstructuredList
	await.NoError(t, "list "+version, func() (err error) {
		list, err = s.claims(version).List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
		if err != nil && !apierrors.IsTooManyRequests(err) { // as it says while the cache is on its way up
			return await.InVain(err)
		}
		return err
	})
	if len(list.Items) != storedClaims {
		t.Errorf("%s: %d claims of %d", version, len(list.Items), storedClaims)
	}
	all := map[string]*object{}
	for _, o := range list.Items {
		annotations := o.GetAnnotations()
		if delete(annotations, written); len(annotations) == 0 {
			annotations = nil
		}
		o.SetAnnotations(annotations)
		all[o.GetName()] = &o
	}
	return all
}

// away: the webhook stops while writers of all versions work. What they are told is clear, what they were told is stored is
// stored, and when it is back they go on.
func (s space) away(t *testing.T) {
	type write struct{ version, name string }
	var writes []write
	for i := range 300 {
		writes = append(writes, write{versions[i%len(versions)], fmt.Sprintf("claim-%04d", i)})
	}
	patch := func(w write, value int) error {
		body := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:"%d"}}}`, written, value)
		_, err := s.claims(w.version).Patch(t.Context(), w.name, types.MergePatchType, body, metav1.PatchOptions{})
		return err
	}
	var failed, cut atomic.Int32
	const atOnce = 4
	told := regexp.MustCompile("webhook.*(connection refused|EOF|connection reset|broken pipe|server closed idle connection)")
	var writers errgroup.Group
	writers.SetLimit(atOnce)
	for i, w := range writes {
		if i == len(writes)/3 {
			must.Do(t, s.webhook.Stop())
		}
		writers.Go(func() error {
			err := patch(w, 1)
			if err == nil {
				return nil
			}
			failed.Add(1)
			away := told.FindStringSubmatch(err.Error())
			if !apierrors.IsInternalError(err) || away == nil {
				return fmt.Errorf("%s through %s: not what a webhook that is away is told by: %w", w.name, w.version, err)
			}
			if away[1] != "connection refused" { // closed just when the API server had written a call to it
				cut.Add(1)
			}
			return nil
		})
	}
	if err := writers.Wait(); err != nil {
		t.Error(err)
	}
	if cut.Load() > atOnce {
		t.Errorf("%d calls were cut off, of %d at once", cut.Load(), atOnce)
	}
	if failed.Load() < int32(len(writes)/2) {
		t.Errorf("%d of %d writes failed: was the webhook away at all?", failed.Load(), len(writes))
	}
	// What is in the watch caches is read all the same, and deleted too.
	for _, v := range versions {
		list, err := s.claims(v).List(t.Context(), metav1.ListOptions{ResourceVersion: "0", FieldSelector: "metadata.name=claim-1999"})
		if err != nil || len(list.Items) != 1 {
			t.Errorf("%s: %v, %v", v, list, err)
		}
	}
	if err := s.claims(stored).Delete(t.Context(), "claim-1999", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
		t.Errorf("delete: %v", err)
	}

	must.Do(t, s.webhook.Resume())
	for _, w := range writes {
		if err := patch(w, 2); err != nil {
			t.Fatalf("%s through %s, with the webhook back: %v", w.name, w.version, err)
		}
	}
}
