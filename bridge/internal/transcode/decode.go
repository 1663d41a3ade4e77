package transcode

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// bodies are what there are readers of.
var bodies = serializer.NewCodecFactory(kinds.Scheme).SupportedMediaTypes()

// strictJSON reads objects of upstream's types, and tells what they do not have.
var strictJSON = func() runtime.Serializer {
	info, _ := runtime.SerializerInfoForMediaType(bodies, runtime.ContentTypeJSON)
	return info.StrictSerializer
}()

// typed is an empty object of upstream's type.
func (c *call) typed() runtime.Object {
	object, err := kinds.Scheme.New(c.gvk())
	utilruntime.Must(err) // two tables that do not agree
	return object
}

// sent is an object as its sender wrote it.
type sent struct {
	// json of the object, byte for byte where it was JSON that says everything once.
	json  []byte
	typed runtime.Object
	// problems that a strict reader has with it.
	problems []error
}

// decode a body. It must be an object of the version and kind; what it says is read by the Go types
// to find what they do not have, and converted from its text.
func (c *call) decode(reader runtime.SerializerInfo, body []byte) (s *sent, err error) {
	if reader.MediaType != runtime.ContentTypeYAML {
		return c.decodeAs(reader, body)
	}
	err = c.parseYAML(body, func() error {
		s, err = c.decodeAs(reader, body)
		return err
	})
	return s, err
}

func (c *call) decodeAs(reader runtime.SerializerInfo, body []byte) (*sent, error) {
	gvk := c.gvk()
	object, got, err := reader.StrictSerializer.Decode(body, &gvk, c.typed())
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
	return s, nil
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
	whole := objectjson.AppendQuoted([]byte(`{"apiVersion":`), c.gvk().GroupVersion().String())
	whole = objectjson.AppendQuoted(append(whole, `,"kind":`...), c.kind.Kind)
	rest := bytes.TrimLeft(object, " \t\r\n{")
	if rest[0] != '}' {
		whole = append(whole, ',')
	}
	return append(whole, rest...), nil
}

// isObject tells whether JSON is an object; null is read as an empty one.
func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) }

// written encodes an object from its Go type, so that it has exactly the fields of the type.
func (c *call) written(typed runtime.Object) ([]byte, error) {
	typed.GetObjectKind().SetGroupVersionKind(c.gvk())
	text, err := json.Marshal(typed)
	if err != nil { // protobuf may hold parameters that are not JSON
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return text, nil
}

// saysTwice tells whether a member was there more than once, of which Go's types have the last.
func saysTwice(problems []error) bool {
	for _, problem := range problems {
		if strings.Contains(problem.Error(), "duplicate field ") ||
			strings.Contains(problem.Error(), "already set in map") {
			return true
		}
	}
	return false
}

// undecoded is the error for a body that is no object of the kind.
func (c *call) undecoded(err error, got *schema.GroupVersionKind, body []byte) error {
	want := c.gvk()
	if runtime.IsNotRegisteredError(err) && got != nil && got.GroupVersion() != want.GroupVersion() {
		return c.otherVersion(got.GroupVersion())
	}
	if got != nil && got.Kind != "" {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", got.Kind,
			got.Version, want.Kind, err))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)",
		want.Kind, err, summary(body)))
}

func (c *call) otherVersion(got schema.GroupVersion) error {
	return apierrors.NewBadRequest(fmt.Sprintf(
		"the API version in the data (%s) does not match the expected API version (%s)", got, c.gvk().GroupVersion()))
}

func (c *call) otherKind(got schema.GroupVersionKind) error {
	return fmt.Errorf("converting (%s.%s) to (resource.%s): unknown conversion", got.Version, got.Kind, c.kind.Kind)
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

// strictly refuses or warns of what a strict reader found, as the sender asks: Strict, Warn, which
// is the default, or Ignore.
func (c *call) strictly(problems []error) error {
	switch c.fieldValidation() {
	case metav1.FieldValidationStrict:
		if len(problems) > 0 {
			return c.unhandled(runtime.NewStrictDecodingError(problems))
		}
	case "", metav1.FieldValidationWarn:
		c.warnOf(problems)
	}
	return nil
}

func (c *call) fieldValidation() string { return c.r.URL.Query().Get("fieldValidation") }

// warnOf problems, those of YAML one by one.
func (c *call) warnOf(problems []error) {
	for _, problem := range problems {
		text := problem.Error()
		lines := []string{text}
		for _, prefix := range []string{
			"yaml: unmarshal errors:\n",
			"error converting YAML to JSON: yaml: unmarshal errors:\n",
		} {
			if rest, found := strings.CutPrefix(text, prefix); found {
				lines = strings.Split(rest, "\n")
			}
		}
		for _, line := range lines {
			c.warn(strings.TrimSpace(line))
		}
	}
}
