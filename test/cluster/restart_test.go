//go:build e2e

package cluster

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	kube "github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// storedClaims is the number of claims: two pages of the lists with which an API server fills a watch cache. make bench
// measures 5,000.
const storedClaims = 1000

// TestAPIServerRestartsWithManyClaims restarts an API server with many stored claims, which fills the watch caches of
// all versions through the webhook, with one claim per call. TestOperationsPage tests an outage of the webhook, and
// test/node/webhook tests restarts under load.
func TestAPIServerRestartsWithManyClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a thousand claims are written, and an API server is restarted")
	}
	t.Parallel()
	p := controlPlaneWithClaims(t)
	s := space{p, metav1.NamespaceDefault}
	before := s.list(t, stored)
	started := time.Now()
	must.Do(t, p.Restart())
	t.Logf("the API server is ready after %s", time.Since(started).Round(time.Millisecond))
	for _, v := range versions {
		claims := s.list(t, v)
		for name, o := range before {
			if now, ok := claims[name]; !ok {
				t.Errorf("list of %s: claim %s is missing", v, name)
			} else {
				equal(t, v+" "+name, content(now), content(s.convert(t, o, v)))
			}
		}
	}
	t.Logf("all versions are listed %s after the restart began", time.Since(started).Round(time.Millisecond))
}

// controlPlaneWithClaims returns a separate control plane with stored claims. They are written while the CRD has only
// one version and no status subresource, so that nothing is converted and one write is enough.
func controlPlaneWithClaims(t *testing.T) *plane {
	t.Helper()
	p := &plane{
		name:  "many claims",
		group: "resource.k8s.io",
		Plane: kube.New(t, kube.Options{RuntimeConfig: kube.WithoutClaims}),
	}
	p.client = must.Get(dynamic.NewForConfig(p.Config))(t)
	install(t, p, func(crd *apiextensionsv1.CustomResourceDefinition) {
		crd.Spec.Conversion = nil
		crd.Spec.Versions = slices.DeleteFunc(crd.Spec.Versions,
			func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
				return !v.Storage
			})
		crd.Spec.Versions[0].Subresources = nil
	})
	space{p, metav1.NamespaceDefault}.createClaims(t)
	started := time.Now()
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{})
	t.Logf("installed the webhook with %d stored claims in %s", storedClaims, time.Since(started).Round(time.Millisecond))
	return p
}

func (s space) createClaims(t *testing.T) {
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

// list lists the claims of a version from its watch cache. The response waits for the cache.
func (s space) list(t *testing.T, version string) map[string]*object {
	t.Helper()
	var list *unstructured.UnstructuredList
	await.NoError(t, "list "+version, func() (err error) {
		list, err = s.claims(version).List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
		if err != nil && !apierrors.IsTooManyRequests(err) { // the response while the cache is filled
			return await.Permanent(err)
		}
		return err
	})
	claims := map[string]*object{}
	for _, o := range list.Items {
		claims[o.GetName()] = &o
	}
	if len(claims) != storedClaims {
		t.Errorf("list of %s: got %d claims, want %d", version, len(claims), storedClaims)
	}
	return claims
}
