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

// TestAbsentGroup checks clients of a cluster that does not serve the group: informers synchronize without objects, as
// a scheduler requires, and writes are rejected with the reason.
func TestAbsentGroup(t *testing.T) {
	cluster := plane.New(t, plane.Options{RuntimeConfig: runtimeConfigFor("none"), Users: users})
	config := cluster.As("root")
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
		t.Errorf("get: got error %v, want NotFound", err)
	}
	if _, err := api.Create(t.Context(), claimV1("a"), metav1.CreateOptions{}); !apierrors.IsMethodNotSupported(err) ||
		!strings.Contains(err.Error(), "enable dynamic resource allocation") {
		t.Errorf("create: got error %v, want MethodNotSupported with the reason", err)
	}
	_, resourceLists := must.Get2(discovery.NewDiscoveryClientForConfigOrDie(config).ServerGroupsAndResources())(t)
	resourceCount := 0
	for _, list := range resourceLists {
		if list.GroupVersion == "resource.k8s.io/v1" {
			resourceCount = len(list.APIResources)
		}
	}
	if resourceCount < 4 {
		t.Errorf("discovery: got %d resources of v1, want at least 4", resourceCount)
	}
	configWithoutOption := cluster.As("root")
	configWithoutOption.Wrap(bridge.Transport(bridge.Options{}))
	_, err := kubernetes.NewForConfigOrDie(configWithoutOption).ResourceV1().ResourceClaims("default").List(t.Context(),
		metav1.ListOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("list without AbsentEmpty: got error %v, want NotFound", err)
	}
}
