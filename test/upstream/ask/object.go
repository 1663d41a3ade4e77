package ask

import (
	"encoding/json"
	"fmt"

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

// decode an object without setting defaults.
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

// convert an object in JSON to a version.
func convert(object []byte, version string) (converted json.RawMessage, err error) {
	return converted, post("/convert?version="+version, object, &converted)
}
