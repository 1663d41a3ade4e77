package webhooktest

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/claimbridge/claimbridge/config"
)

// DisableBuiltIn sets the flag with which a kube-apiserver of Kubernetes 1.34 or later does not serve resource.k8s.io
// itself: --runtime-config=resource.k8s.io/v1=false. Call it before the environment starts:
//
//	webhooktest.DisableBuiltIn(environment.ControlPlane.GetAPIServer())
//
// The flag turns off all kinds of the group, including DeviceClass and ResourceSlice, which claimbridge does not serve.
// If a test needs these kinds, don't set the flag, and use another group: see [Options].
//
// Don't call it for Kubernetes 1.26 to 1.33: all versions of the group are off by default, and these releases reject
// the flag, because they have no v1. Since 1.34, only v1 is on by default.
func DisableBuiltIn(apiServer *envtest.APIServer) {
	apiServer.Configure().Append("runtime-config", config.DefaultGroup+"/v1=false")
}

var apiServices = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}

// checkGroupIsFree returns an error if the API server serves any version of a group itself. With CRDs in such a group,
// it would list them as served, but return 404 for every request of every client.
func checkGroupIsFree(ctx context.Context, client dynamic.Interface, group string) error {
	list, err := client.Resource(apiServices).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list the APIServices of group %s: %w", group, err)
	}
	var versions []string
	for _, service := range list.Items {
		served, _, _ := unstructured.NestedString(service.Object, "spec", "group")
		version, _, _ := unstructured.NestedString(service.Object, "spec", "version")
		// APIServices of custom resources have the label "true", and those of the API server itself "onstart". An
		// aggregated API has no such label.
		if served == group && service.GetLabels()["kube-aggregator.kubernetes.io/automanaged"] != "true" {
			versions = append(versions, version)
		}
	}
	if len(versions) == 0 {
		return nil
	}
	return fmt.Errorf("the API server serves %s itself (%s): with custom resources in the same group, every request "+
		"for them would return 404. Either call webhooktest.DisableBuiltIn(environment.ControlPlane.GetAPIServer()) "+
		"before environment.Start(), or choose another group: webhooktest.Options{Group: \"claims.example.com\"}",
		group, strings.Join(versions, ", "))
}
