package transcode

import (
	"mime"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
)

// media is the serializers of our types for some media types.
type media struct {
	serializer.CodecFactory
	infos []runtime.SerializerInfo
}

func (m media) SupportedMediaTypes() []runtime.SerializerInfo { return m.infos }

func mediaOf(types ...string) media {
	m := media{CodecFactory: serializer.NewCodecFactory(scheme)}
	for _, info := range m.CodecFactory.SupportedMediaTypes() {
		if slices.Contains(types, info.MediaType) {
			m.infos = append(m.infos, info)
		}
	}
	return m
}

var (
	scheme = served.NewScheme()
	// answers are JSON and YAML: protobuf has no form for what a newer v1 says, which JSON shows. A client that prefers protobuf and takes JSON
	// gets JSON, as client-go asks for both.
	answers = mediaOf(runtime.ContentTypeJSON, runtime.ContentTypeYAML)
	// bodies may be protobuf where upstream's types have readers of it.
	bodies      = mediaOf(runtime.ContentTypeJSON, runtime.ContentTypeYAML, runtime.ContentTypeProtobuf)
	alphaBodies = answers
)

// form of an answer.
type form struct {
	yaml, pretty bool
	// convert is what objects are to be shown as: a table, or their metadata; nil: as they are.
	convert *schema.GroupVersionKind
}

// negotiate the form of the answer.
func (c *call) negotiate() error {
	options, info, err := negotiation.NegotiateOutputMediaType(c.r, answers, allowed{tables: c.info.Subresource == ""})
	if err != nil {
		return err
	}
	c.form = form{
		yaml:    options.Accepted.MediaType == runtime.ContentTypeYAML,
		pretty:  info.PrettySerializer != nil && info.Serializer == info.PrettySerializer,
		convert: options.Convert,
	}
	return nil
}

// accept is what the store is asked for: always JSON, of which other layouts are made here.
func (f form) accept() string {
	if f.convert == nil {
		return runtime.ContentTypeJSON
	}
	return mime.FormatMediaType(runtime.ContentTypeJSON, map[string]string{"as": f.convert.Kind, "g": f.convert.Group, "v": f.convert.Version})
}

// contentType of the answer.
func (f form) contentType() string {
	if f.yaml {
		return runtime.ContentTypeYAML
	}
	return runtime.ContentTypeJSON
}

// allowed is what an API server lets Accept ask for. It makes no tables of a status, and so answers the object to who takes that as well.
type allowed struct{ tables bool }

func (a allowed) AllowsMediaTypeTransform(_, _ string, as *schema.GroupVersionKind) bool {
	if as == nil {
		return true
	}
	switch as.GroupVersion() {
	case metav1.SchemeGroupVersion, metav1beta1.SchemeGroupVersion:
		return as.Kind == "Table" && a.tables || as.Kind == "PartialObjectMetadata" || as.Kind == "PartialObjectMetadataList"
	}
	return false
}

func (allowed) AllowsServerVersion(version string) bool { return version == "v1" }
func (allowed) AllowsStreamSchema(s string) bool        { return s == "watch" }
