package kjson

import "k8s.io/apimachinery/pkg/runtime"

// ReadExtension reads raw JSON behind a pointer; null is none.
func ReadExtension(r *Reader) *runtime.RawExtension {
	raw := r.Raw()
	if raw == nil {
		return nil
	}
	return &runtime.RawExtension{Raw: raw}
}
