package preflight

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// otherManagers of what the manifests say about objects: who has changed a field of the specification by other means than
// kubectl apply --server-side. Whoever writes no more than a caBundle is none, unless the manifests have one.
func otherManagers(objects []metav1.Object, bundles bool) (names []string) {
	for _, object := range objects {
		for _, entry := range object.GetManagedFields() {
			ours := entry.Manager == "kubectl" && entry.Operation == metav1.ManagedFieldsOperationApply
			if !ours && entry.Subresource == "" && !slices.Contains(names, entry.Manager) && managesMore(entry.FieldsV1, bundles) {
				names = append(names, entry.Manager)
			}
		}
	}
	slices.Sort(names)
	return names
}

// managesMore than caBundles, of what the manifests have.
func managesMore(fields *metav1.FieldsV1, bundles bool) bool {
	if fields == nil {
		return false
	}
	var set map[string]any
	if err := json.Unmarshal(fields.GetRawBytes(), &set); err != nil {
		return true // better a flag too much than a command that is refused
	}
	delete(set, "f:status")
	delete(set, "f:metadata") // labels and annotations of others are theirs
	return leaves(set, bundles)
}

// leaves reports whether a set of fields has any, and, unless they count, one that is no caBundle. The members of a field are fields, so what has none is
// a leaf; "." stands for the thing itself, which its members need.
func leaves(set map[string]any, bundles bool) bool {
	for key, value := range set {
		members, _ := value.(map[string]any)
		if key != "." && (bundles || key != "f:caBundle") && (len(members) == 0 || leaves(members, bundles)) {
			return true
		}
	}
	return false
}
