package transcode

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metainternalscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// options of a write, read and checked as an API server does.
func (c *call) options(kind string, into runtime.Object, check func() field.ErrorList) error {
	return decodeOptions(c.r.URL.Query(), kind, into, check)
}

func decodeOptions(query url.Values, kind string, into runtime.Object, check func() field.ErrorList) error {
	if err := metainternalscheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if errs := check(); len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
	}
	return nil
}

// reader of the body's media type.
func (c *call) reader() (runtime.SerializerInfo, error) {
	types := bodies
	if !c.protobuf() {
		types = alphaBodies
	}
	return negotiation.NegotiateInputSerializer(c.r, false, types)
}

// protobuf can be read by the types of upstream's library.
func (c *call) protobuf() bool {
	_, can := c.New().(interface{ Unmarshal([]byte) error })
	return can
}

// sent is an object as its sender wrote it.
type sent struct {
	// json of the object, byte for byte where it was JSON that says everything once.
	json  []byte
	typed runtime.Object
	// problems that a strict reader has with it.
	problems []error
}

// decode a body. It must be an object of the version and kind; what it says is read by the Go types to find what they do not have, and
// converted from its text.
func (c *call) decode(reader runtime.SerializerInfo, body []byte) (*sent, error) {
	gvk := c.GroupVersionKind()
	serializer := reader.StrictSerializer
	object, got, err := serializer.Decode(body, &gvk, c.New())
	problems, strict := runtime.AsStrictDecodingError(err)
	switch {
	case err != nil && (!strict || object == nil):
		return nil, c.undecoded(err, got, body)
	case got.GroupVersion() != gvk.GroupVersion():
		return nil, c.otherVersion(got.GroupVersion())
	case got.Kind != gvk.Kind:
		return nil, c.undecoded(c.otherKind(*got), got, body)
	}
	s := &sent{typed: object}
	if strict {
		s.problems = problems.Errors()
	}
	switch reader.MediaType {
	case runtime.ContentTypeJSON:
		s.json = body
	case runtime.ContentTypeYAML:
		if s.json, err = yaml.YAMLToJSON(body); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	if !isObject(s.json) || !utf8.Valid(s.json) || saysTwice(s.problems) {
		if s.json, err = c.written(object); err != nil {
			return nil, err
		}
	}
	if s.json, err = c.identified(s.json); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	c.auditObject(object)
	return s, nil
}

// auditObject as the policy wants it: whole, or what it is called alone, since all that is noted is written as JSON first.
func (c *call) auditObject(object runtime.Object) {
	gv := c.GroupVersionKind().GroupVersion()
	var codecs runtime.NegotiatedSerializer = answers
	if audit.AuditContextFrom(c.ctx()).GetEventLevel().Less(auditinternal.LevelRequest) {
		meta, err := apimeta.Accessor(object)
		if err != nil {
			return
		}
		codecs, object = unconverted{answers}, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: meta.GetNamespace(), Name: meta.GetName(), UID: meta.GetUID(), ResourceVersion: meta.GetResourceVersion(),
		}}
	}
	audit.LogRequestObject(c.ctx(), object, gv, gv.WithResource(c.Resource), c.info.Subresource, codecs)
}

// unconverted objects are written as they are.
type unconverted struct{ media }

// EncoderForVersion is the encoder itself.
func (unconverted) EncoderForVersion(e runtime.Encoder, _ runtime.GroupVersioner) runtime.Encoder {
	return e
}

// identified is an object that says its version and kind, which an API server knows from the path.
func (c *call) identified(object []byte) ([]byte, error) {
	if apiVersion, kind := typeOf(object); apiVersion != "" && kind != "" {
		return object, nil
	}
	for _, name := range []string{"apiVersion", "kind"} {
		var err error
		if object, err = without(object, name); err != nil {
			return nil, err
		}
	}
	whole := kjson.AppendQuoted([]byte(`{"apiVersion":`), c.GroupVersionKind().GroupVersion().String())
	whole = kjson.AppendQuoted(append(whole, `,"kind":`...), c.Kind.Kind)
	rest := bytes.TrimLeft(object, " \t\r\n{")
	if rest[0] != '}' {
		whole = append(whole, ',')
	}
	return append(whole, rest...), nil
}

// isObject tells whether JSON is an object; null is read as an empty one.
func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) }

// written anew: an object with all that its Go type has, and nothing else.
func (c *call) written(typed runtime.Object) ([]byte, error) {
	typed.GetObjectKind().SetGroupVersionKind(c.GroupVersionKind())
	text, err := json.Marshal(typed)
	if err != nil { // protobuf may hold parameters that are not JSON
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return text, nil
}

// saysTwice tells whether a member was there more than once, of which Go's types have the last.
func saysTwice(problems []error) bool {
	for _, problem := range problems {
		if strings.Contains(problem.Error(), "duplicate field ") || strings.Contains(problem.Error(), "already set in map") {
			return true
		}
	}
	return false
}

// undecoded is the error for a body that is no object of the kind.
func (c *call) undecoded(err error, got *schema.GroupVersionKind, body []byte) error {
	want := c.GroupVersionKind()
	if runtime.IsNotRegisteredError(err) && got != nil && got.GroupVersion() != want.GroupVersion() {
		return c.otherVersion(got.GroupVersion())
	}
	if got != nil && got.Kind != "" {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", got.Kind, got.Version, want.Kind, err))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)", want.Kind, err, summary(body)))
}

func (c *call) otherVersion(got schema.GroupVersion) error {
	return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)",
		got, c.GroupVersionKind().GroupVersion()))
}

func (c *call) otherKind(got schema.GroupVersionKind) error {
	return fmt.Errorf("converting (%s.%s) to (resource.%s): unknown conversion", got.Version, got.Kind, c.Kind.Kind)
}

// summary of a body, as API servers give one: its beginning.
func summary(body []byte) string {
	const most = 30
	show := hex.EncodeToString
	switch {
	case len(body) == 0:
		return "<empty>"
	case body[0] == '{':
		show = func(b []byte) string { return string(b) }
	}
	if len(body) > most {
		return show(body[:most]) + " ..."
	}
	return show(body)
}

// strictly refuses or warns of what a strict reader found, as the sender asks: Strict, Warn, which is the default, or Ignore.
func (c *call) strictly(validation string, problems []error) error {
	switch {
	case len(problems) == 0 || validation == metav1.FieldValidationIgnore:
	case validation == metav1.FieldValidationStrict:
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
			c.Kind.Kind, c.Version, c.Kind.Kind, runtime.NewStrictDecodingError(problems)))
	default:
		c.warn(problems)
	}
	return nil
}

// warn of problems, those of YAML one by one.
func (c *call) warn(problems []error) {
	for _, problem := range problems {
		text := problem.Error()
		lines := []string{text}
		for _, prefix := range []string{"yaml: unmarshal errors:\n", "error converting YAML to JSON: yaml: unmarshal errors:\n"} {
			if rest, found := strings.CutPrefix(text, prefix); found {
				lines = strings.Split(rest, "\n")
			}
		}
		for _, line := range lines {
			warning.AddWarning(c.ctx(), "", strings.TrimSpace(line))
		}
	}
}
