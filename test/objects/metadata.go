package objects

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// objectMeta returns the metadata of a stored object.
func (s Source) objectMeta() metav1.ObjectMeta {
	m := metav1.ObjectMeta{Name: s.label(), Namespace: "default", UID: s.uid(), ResourceVersion: "12", Generation: 1}
	if s.oneIn(10) {
		m.Name = s.subdomain()
	}
	if s.oneIn(2) {
		m.CreationTimestamp = metav1.NewTime(time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC))
		m.Finalizers = []string{"gpu.example.com/deletion-protection"}
		m.ManagedFields = []metav1.ManagedFieldsEntry{{
			Manager: "driver", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "resource.k8s.io/v1alpha2",
			FieldsType:  "FieldsV1",
			FieldsV1:    metav1.NewFieldsV1(`{"f:status":{"f:driverName":{}}}`),
			Subresource: "status",
		}}
		m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: s.uid()}}
	}
	m.Annotations, m.Labels = s.annotationsAndLabels()
	return m
}

// templateMeta returns the metadata that a template copies to its claims.
func (s Source) templateMeta() (m metav1.ObjectMeta) {
	m.Annotations, m.Labels = s.annotationsAndLabels()
	return m
}

func (s Source) annotationsAndLabels() (annotations, labels map[string]string) {
	if s.oneIn(2) {
		annotations = map[string]string{
			"example.com/note": s.text(200),
			"kubectl.kubernetes.io/last-applied-configuration": "{\"a\":1}\n",
		}
	}
	if s.oneIn(2) {
		labels = map[string]string{"app": "training", "b": "", "claimbridge.dev": "x"}
	}
	return annotations, labels
}

// uid returns a UID with any letters and digits, because API servers do not validate it.
func (s Source) uid() types.UID {
	return types.UID(s.chars(8) + "-0000-4000-8000-" + s.chars(12))
}

// uuid returns a UUID in lower case, which the ID of a share has to be.
func (s Source) uuid() types.UID {
	return types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", s.Uint32(), s.Uint32()))
}

// timestamp returns a time in whole seconds, the precision of metav1.Time in JSON.
func (s Source) timestamp() metav1.Time {
	return metav1.NewTime(time.Date(2026, 1, 1+s.IntN(28), s.IntN(24), 0, s.IntN(60), 0, time.UTC))
}
