package ask

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// Defaults sets the defaults of an object in JSON, and decodes it.
func Defaults(object []byte) (runtime.Object, error) {
	var complete json.RawMessage
	if err := post("/default", object, &complete); err != nil {
		return nil, err
	}
	return decode(complete)
}

// decode decodes an object without setting defaults.
func decode(data []byte) (runtime.Object, error) {
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDeserializer(), data)
	if err != nil {
		return nil, err
	}
	return legacyscheme.Scheme.ConvertToVersion(object, resource.SchemeGroupVersion)
}

// FromVersion converts a typed object of a version to the internal type. claimbridge converts it to the newest version
// that the release serves, whose structure is that of the internal type.
func FromVersion(object runtime.Object, version, kind string) (runtime.Object, error) {
	encoded, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	header := fmt.Sprintf(`{"apiVersion":"%s/%s","kind":%q,`, resource.GroupName, version, kind)
	converted, err := convert(append([]byte(header), encoded[1:]...), newestVersion())
	if err != nil {
		return nil, err
	}
	return decode(converted)
}

// ToVersion converts an internal object to a typed object of a version. claimbridge converts it from the newest version
// that the release serves.
func ToVersion(object, into runtime.Object, version string) error {
	encoded, err := encode(object, newestVersion())
	if err != nil {
		return err
	}
	converted, err := convert(encoded, version)
	if err != nil {
		return err
	}
	return json.Unmarshal(converted, into)
}

// convert converts an object in JSON to a version, and checks that the result has this version. Without this check, an
// unconverted object can pass a test, because decode converts it with the functions of Kubernetes.
func convert(object []byte, version string) (converted json.RawMessage, err error) {
	if err := post("/convert?version="+version, object, &converted); err != nil {
		return nil, err
	}
	var header metav1.TypeMeta
	if err := json.Unmarshal(converted, &header); err != nil {
		return nil, err
	}
	if want := resource.GroupName + "/" + version; header.APIVersion != want {
		return nil, fmt.Errorf("apiVersion of the converted object: got %q, want %q", header.APIVersion, want)
	}
	return converted, nil
}
