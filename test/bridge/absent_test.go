//go:build e2e

package bridge

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestAbsent checks a cluster without the group: informers synchronize with no objects, as a scheduler requires, and
// writes are rejected with the reason.
func TestAbsent(t *testing.T) {
	off := plane.New(t, plane.Options{RuntimeConfig: runtimeConfigFor("none"), Users: users})
	config := off.As("root")
	config.Wrap(bridge.Transport(bridge.Options{Absent: bridge.AbsentEmpty}))
	typed := kubernetes.NewForConfigOrDie(config)
	factory := informers.NewSharedInformerFactory(typed, 0)
	group := factory.Resource().V1()
	synced := []cache.InformerSynced{
		group.DeviceClasses().Informer().HasSynced,
		group.ResourceClaims().Informer().HasSynced,
		group.ResourceClaimTemplates().Informer().HasSynced,
		group.ResourceSlices().Informer().HasSynced,
	}
	factory.Start(t.Context().Done())
	eventually(t, func() string {
		for _, isSynced := range synced {
			if !isSynced() {
				return "an informer is not synchronized"
			}
		}
		return ""
	})
	api := typed.ResourceV1().ResourceClaims("default")
	if _, err := api.Get(t.Context(), "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get: %v", err)
	}
	if _, err := api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}); !apierrors.IsMethodNotSupported(err) ||
		!strings.Contains(err.Error(), "enable dynamic resource allocation") {
		t.Errorf("create: %v", err)
	}
	_, all := must.Get2(discovery.NewDiscoveryClientForConfigOrDie(config).ServerGroupsAndResources())(t)
	found := 0
	for _, list := range all {
		if list.GroupVersion == "resource.k8s.io/v1" {
			found = len(list.APIResources)
		}
	}
	if found < 4 {
		t.Errorf("discovery has %d resources of v1", found)
	}
	unchanged := off.As("root")
	unchanged.Wrap(bridge.Transport(bridge.Options{}))
	_, err := kubernetes.NewForConfigOrDie(unchanged).ResourceV1().ResourceClaims("default").List(t.Context(),
		metav1.ListOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("notfound: %v", err)
	}
}
