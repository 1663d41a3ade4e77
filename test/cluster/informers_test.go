//go:build e2e

package cluster

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"github.com/claimbridge/claimbridge/test/testkit/await"
)

// A driver of 1.26 and a controller of today keep their claims in informers, side by side. Both see what either writes, each in
// its own version.
func TestInformersOfTheOldestAndTheNewest(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	const claims = 20
	write := func(from int) {
		for i := range claims {
			version := versions[i%len(versions)]
			s.createWithStatus(t, s.typical(t, version, claimKind, fmt.Sprintf("claim-%d", from+i)))
		}
	}
	write(0)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(s.client, 0, s.namespace, nil)
	stores := map[string]cache.Store{}
	for _, version := range []string{versions[0], stored} {
		informer := factory.ForResource(schema.GroupVersionResource{Group: s.group, Version: version, Resource: plurals[claimKind]}).Informer()
		stores[version] = informer.GetStore()
	}
	stop := make(chan struct{})
	defer factory.Shutdown()
	defer close(stop)
	factory.Start(stop)
	factory.WaitForCacheSync(stop)

	same := func(when string, want int) {
		t.Helper()
		for version, store := range stores {
			await.NoError(t, when+" in "+version, func() error {
				if n := len(store.List()); n != want {
					return fmt.Errorf("%d claims, not %d", n, want)
				}
				for _, held := range store.List() {
					o := held.(*object)
					if now := s.get(t, version, claimKind, o.GetName()); now.GetResourceVersion() != o.GetResourceVersion() {
						return fmt.Errorf("%s is not the latest", o.GetName())
					}
				}
				return nil
			})
			for _, held := range store.List() {
				o := held.(*object)
				equal(t, when+": "+o.GetName()+" in "+version, content(o), content(s.get(t, version, claimKind, o.GetName())))
			}
		}
	}
	same("what was there", claims)
	write(claims)
	same("what came", 2*claims)
	for i, version := range []string{versions[0], stored, versions[0], stored} {
		_, err := s.claims(version).Patch(t.Context(), fmt.Sprintf("claim-%d", i), types.MergePatchType, []byte(`{"metadata":{"labels":{"by":"`+version+`"}}}`), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.claims(version).Patch(t.Context(), fmt.Sprintf("claim-%d", i), types.MergePatchType, []byte(`{"status":{"reservedFor":null}}`), metav1.PatchOptions{}, "status")
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.claims(versions[0]).Delete(t.Context(), "claim-9", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	same("what changed", 2*claims-1)
}
