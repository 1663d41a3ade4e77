package preflight

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Only where somebody else has a field that the manifests have needs kubectl to be told to take it.
func TestOtherManagers(t *testing.T) {
	const bundle = `{"f:webhooks":{"k:{\"name\":\"a\"}":{".":{},"f:clientConfig":{"f:caBundle":{}}}}}`
	entry := func(manager, operation, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: metav1.ManagedFieldsOperationType(operation), Subresource: subresource, FieldsV1: metav1.NewFieldsV1(fields),
		}
	}
	tests := map[string]struct {
		entry   metav1.ManagedFieldsEntry
		bundles bool
		want    []string
	}{
		"an apply before":              {entry: entry("kubectl", "Apply", "", `{"f:spec":{"f:scope":{}}}`)},
		"a patch":                      {entry: entry("kubectl-patch", "Update", "", `{"f:spec":{"f:conversion":{"f:strategy":{}}}}`), want: []string{"kubectl-patch"}},
		"an edit by the same program":  {entry: entry("kubectl", "Update", "", `{"f:spec":{"f:scope":{}}}`), want: []string{"kubectl"}},
		"a bundle":                     {entry: entry("claimbridge", "Update", "", bundle)},
		"a bundle, and we have one":    {entry: entry("claimbridge", "Update", "", bundle), bundles: true, want: []string{"claimbridge"}},
		"a label":                      {entry: entry("team", "Update", "", `{"f:metadata":{"f:labels":{"f:team":{}}}}`)},
		"status":                       {entry: entry("kube-apiserver", "Update", "status", `{"f:status":{"f:conditions":{}}}`)},
		"status, from before 1.22":     {entry: entry("kube-apiserver", "Update", "", `{"f:status":{"f:conditions":{}}}`)},
		"what cannot be read":          {entry: entry("who", "Update", "", `]`), want: []string{"who"}},
		"something, but nothing of it": {entry: entry("who", "Update", "", `{}`)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			object := &metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{test.entry}}
			if diff := cmp.Diff(test.want, otherManagers([]metav1.Object{object}, test.bundles)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCommandsAreQuoted(t *testing.T) {
	v := &view{options: Options{ClusterFlags: []string{"--context=my cluster"}, Namespace: "n"}}
	if got, want := v.inNamespace("get", "it's", "a=b"), `kubectl '--context=my cluster' -n n get 'it'\''s' a=b`; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}
