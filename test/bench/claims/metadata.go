package claims

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Group of the claims.
const Group = "resource.k8s.io"

// metadata of the ith claim in storage, made from a template for a pod; 1.1 KB of JSON, most of it managed fields.
func metadata(i int, version string) metav1.ObjectMeta {
	created := metav1.NewTime(time.Date(2024, 5, 1, 12, 0, i%60, 0, time.UTC))
	controller := true
	entry := func(manager, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: Group + "/" + version, Time: &created,
			FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields), Subresource: subresource,
		}
	}
	return metav1.ObjectMeta{
		Name: fmt.Sprintf("trainer-%d-gpu", i), GenerateName: fmt.Sprintf("trainer-%d-", i), Namespace: fmt.Sprintf("team-%d", i%50),
		UID: uid(i, 0), ResourceVersion: fmt.Sprint(100_000 + i), CreationTimestamp: created,
		Finalizers:  []string{"resource.kubernetes.io/delete-protection"},
		Annotations: map[string]string{"resource.kubernetes.io/pod-claim-name": "gpu"},
		Labels:      map[string]string{"app.kubernetes.io/name": "trainer", "app.kubernetes.io/instance": fmt.Sprintf("trainer-%d", i)},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "v1", Kind: "Pod", Name: fmt.Sprintf("trainer-%d", i), UID: uid(i, 1), Controller: &controller, BlockOwnerDeletion: &controller,
		}},
		ManagedFields: []metav1.ManagedFieldsEntry{
			entry("kube-controller-manager", "", `{"f:metadata":{"f:annotations":{".":{},"f:resource.kubernetes.io/pod-claim-name":{}},"f:generateName":{},`+
				`"f:ownerReferences":{".":{},"k:{\"uid\":\"`+string(uid(i, 1))+`\"}":{}}},"f:spec":{}}`),
			entry("driver-controller", "status", `{"f:status":{"f:allocation":{".":{}},"f:reservedFor":{}}}`),
		},
	}
}

// uid of the ith claim's kth party.
func uid(i, k int) types.UID {
	return types.UID(fmt.Sprintf("%08x-9c1f-4e5d-8a7b-%012x", 0x5bd1e995*uint32(i+1), k+16*i))
}
