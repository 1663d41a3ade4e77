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

// DisableBuiltIn sets the flag by which a kube-apiserver of Kubernetes 1.34 or newer leaves resource.k8s.io to custom
// resources: --runtime-config=resource.k8s.io/v1=false. Call it before the environment starts:
//
//	webhooktest.DisableBuiltIn(environment.ControlPlane.GetAPIServer())
//
// The flag turns off all kinds of the group: the API server serves no DeviceClass and no
// ResourceSlice either, and claimbridge does not serve these. A test that needs them leaves the
// flag out and uses another group, see [Options].
//
// From 1.26 to 1.33 all versions of the group are off unless they were switched on, and there is no
// v1 to disable: the flag would be refused. In 1.34 and later v1 is the only one that is on.
func DisableBuiltIn(apiServer *envtest.APIServer) {
	apiServer.Configure().Append("runtime-config", config.DefaultGroup+"/v1=false")
}

var apiServices = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}

// checkGroupIsFree, because an API server that serves any version of a group itself, and is given
// definitions for it too, lists them as served and answers 404 to every request, for every client
// of the cluster.
func checkGroupIsFree(ctx context.Context, client dynamic.Interface, group string) error {
	list, err := client.Resource(apiServices).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("ask who serves %s: %w", group, err)
	}
	var versions []string
	for _, service := range list.Items {
		served, _, _ := unstructured.NestedString(service.Object, "spec", "group")
		version, _, _ := unstructured.NestedString(service.Object, "spec", "version")
		// The API server keeps the entries of custom resources up to date with the label "true",
		// its own with "onstart". An aggregated API has none.
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
