package transcode

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/munnerz/goautoneg"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// form of an answer. It is JSON or YAML: a client that prefers protobuf and takes JSON gets JSON,
// as client-go asks for both.
type form struct {
	yaml, pretty bool
	// convert is what objects are to be shown as: a table, or their metadata; nil: as they are.
	convert *schema.GroupVersionKind
}

// negotiate the form of the answer, as API servers do.
func (c *call) negotiate(stream bool) error {
	accept := cmp.Or(c.r.Header.Get("Accept"), runtime.ContentTypeJSON)
	types := []string{runtime.ContentTypeJSON, runtime.ContentTypeYAML}
	if stream {
		types = types[:1]
	}
	for _, clause := range goautoneg.ParseAccept(accept) {
		for _, mediaType := range types {
			_, subtype, _ := strings.Cut(mediaType, "/")
			if (clause.Type != "application" ||
				clause.SubType != subtype && clause.SubType != "*") && (clause.Type != "*" || clause.SubType != "*") {
				continue
			}
			form := form{
				yaml:   mediaType == runtime.ContentTypeYAML,
				pretty: mediaType == runtime.ContentTypeJSON && isPretty(c.r),
			}
			if form.take(clause.Params, stream, c.t.subresource == "") {
				c.form = form
				return nil
			}
		}
	}
	if stream {
		types = []string{runtime.ContentTypeJSON + ";stream=watch"}
	}
	return refusal(http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable,
		"only the following media types are accepted: "+strings.Join(types, ", "))
}

// take the parameters of a media type; false when there is no such form.
func (f *form) take(params map[string]string, stream, tables bool) bool {
	as := schema.GroupVersionKind{Group: params["g"], Version: params["v"], Kind: params["as"]}
	s := params["stream"]
	if s != "" && (s != "watch" || !stream && f.yaml) || params["sv"] != "" && params["sv"] != "v1" {
		return false
	}
	if params["pretty"] == "1" {
		f.pretty = !f.yaml
	}
	if as.Empty() {
		return true
	}
	f.convert = &as
	kinds := []string{"PartialObjectMetadata", "PartialObjectMetadataList"}
	if tables { // there are none of a status
		kinds = append(kinds, "Table")
	}
	return as.Group == metav1.GroupName && (as.Version == "v1" ||
		as.Version == "v1beta1") && slices.Contains(kinds, as.Kind)
}

// WantsTable tells whether a client prefers a table.
func WantsTable(r *http.Request) bool {
	c := call{r: r}
	return c.negotiate(false) == nil && c.form.convert != nil && c.form.convert.Kind == "Table"
}

// isPretty tells whether people are to read it, as API servers guess.
func isPretty(r *http.Request) bool {
	if text := r.URL.Query().Get("pretty"); text != "" {
		pretty, _ := strconv.ParseBool(text)
		return pretty
	}
	return slices.ContainsFunc([]string{"curl", "Wget", "Mozilla/5.0"}, func(name string) bool {
		return strings.HasPrefix(r.UserAgent(), name)
	})
}

// accept is what the cluster is asked for: always JSON, of which other layouts are made here.
func (f form) accept() string {
	if f.convert == nil {
		return runtime.ContentTypeJSON
	}
	return mime.FormatMediaType(runtime.ContentTypeJSON, map[string]string{
		"as": f.convert.Kind, "g": f.convert.Group, "v": f.convert.Version,
	})
}

// contentType of the answer.
func (f form) contentType() string {
	if f.yaml {
		return runtime.ContentTypeYAML
	}
	return runtime.ContentTypeJSON
}

// reader of a body's media type: JSON, YAML, or the protobuf of upstream's types.
func (c *call) reader() (runtime.SerializerInfo, error) {
	contentType := cmp.Or(c.r.Header.Get("Content-Type"), runtime.ContentTypeJSON)
	if mediaType, _, err := mime.ParseMediaType(contentType); err == nil {
		if info, ok := runtime.SerializerInfoForMediaType(bodies, mediaType); ok {
			return info, nil
		}
	}
	return runtime.SerializerInfo{}, refusal(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		fmt.Sprintf(
			"the body of the request was in an unknown format - accepted media types include: %s, %s, %s",
			runtime.ContentTypeJSON, runtime.ContentTypeYAML, runtime.ContentTypeProtobuf))
}

// refusal is the error with a code and a reason.
func refusal(code int32, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{
		ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message},
	}
}
