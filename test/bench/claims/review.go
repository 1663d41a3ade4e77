package claims

import (
	"bytes"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
)

// Encode writes an object as an API server sends it to a webhook: compact, with sorted keys.
func Encode(object runtime.Object) []byte {
	typed, err := json.Marshal(object)
	if err != nil {
		panic(err) // types of Kubernetes always encode
	}
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(typed))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		panic(err)
	}
	var sorted bytes.Buffer
	encoder := json.NewEncoder(&sorted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(sorted.Bytes())
}

// Review wraps objects in a ConversionReview that asks for a version.
func Review(version string, objects ...[]byte) []byte {
	return fmt.Appendf(nil, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{`+
		`"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","desiredAPIVersion":"%s/%s","objects":[%s]}}`+"\n",
		Group, version, bytes.Join(objects, []byte(",")))
}
