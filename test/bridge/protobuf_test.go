//go:build e2e

package bridge

import (
	"bytes"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// protobuf of an object in JSON, as typed clients of today write it.
func protobuf(text string) string {
	object, gvk, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		return text // the text of a step that sends nonsense on purpose
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	var body bytes.Buffer
	if err := scheme.Codecs.EncoderForVersion(info.Serializer, gvk.GroupVersion()).Encode(object, &body); err != nil {
		panic(err) // it was decoded by the same scheme
	}
	return body.String()
}
