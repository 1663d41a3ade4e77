package kjson

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Time reads a time as RFC 3339 has it; null is none.
func (r *Reader) Time() metav1.Time {
	if r.scan.Null() {
		return metav1.Time{}
	}
	t, err := time.Parse(time.RFC3339, r.Text())
	if err != nil {
		r.Fail()
	}
	return metav1.Time{Time: t.Local()} // as it is decoded
}

// Time writes a time in UTC; none is null. Fractions of a second, which Kubernetes cuts off, stay.
func (w *Writer) Time(t metav1.Time) {
	if t.IsZero() {
		w.Raw(nil)
		return
	}
	w.Out = append(w.Out, '"')
	w.Out = t.UTC().AppendFormat(w.Out, time.RFC3339Nano)
	w.Out = append(w.Out, '"')
}

// ReadExtension reads raw JSON behind a pointer; null is none.
func ReadExtension(r *Reader) *runtime.RawExtension {
	raw := r.Raw()
	if raw == nil {
		return nil
	}
	return &runtime.RawExtension{Raw: raw}
}
