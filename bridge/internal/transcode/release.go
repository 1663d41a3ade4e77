package transcode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
)

// strict returns a write with strict field validation, so that the cluster rejects an unknown field instead of dropping
// it. An invalid value of the client's own parameter is left for the cluster to reject.
func (c *call) strict(r *http.Request) *http.Request {
	if !slices.Contains([]string{"", metav1.FieldValidationIgnore, metav1.FieldValidationWarn}, c.fieldValidation()) {
		return r
	}
	return with(r, "fieldValidation", metav1.FieldValidationStrict)
}

// isStrict tells whether the cluster refused a write for such a field. The answer can still be read.
func (c *call) isStrict(resp *http.Response) bool {
	return (resp.StatusCode == http.StatusBadRequest ||
		resp.StatusCode == http.StatusUnprocessableEntity) && isStrict(peekStatus(resp))
}

func isStrict(status metav1.Status) bool {
	return strings.Contains(status.Message, "strict decoding error: ")
}

// problemsStored are as many as a strict reader has with an object of the cluster's version.
func (c *call) problemsStored(object []byte) int {
	gvk := schema.GroupVersionKind{Group: api.Group, Version: c.Version, Kind: c.kind.Kind}
	typed, err := kinds.Scheme.New(gvk)
	if err == nil {
		_, _, err = strictJSON.Decode(object, &gvk, typed)
	}
	problems, strict := runtime.AsStrictDecodingError(err)
	if !strict {
		return 0
	}
	return len(problems.Errors())
}

var unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)

// unknownToRelease is the error for what the version has and the cluster's release has not. An API
// server of that release would drop it.
func (c *call) unknownToRelease(resp *http.Response) error {
	status := peekStatus(resp)
	_ = resp.Body.Close()
	var causes field.ErrorList
	for _, found := range unknownField.FindAllStringSubmatch(status.Message, -1) {
		detail := fmt.Sprintf("the cluster is Kubernetes %s, whose %s does not have this field and would drop it",
			c.Release(c.r), c.stored())
		causes = append(causes, field.Forbidden(field.NewPath(c.pathOf(found[1])), detail))
	}
	if len(causes) == 0 {
		return apierrors.NewBadRequest(string(c.reword([]byte(status.Message))))
	}
	return apierrors.NewInvalid(c.gvk().GroupKind(), c.t.name, causes)
}

// peekStatus reads a Status, empty if there is none, and leaves the answer as it was, with the error that it ends with.
func peekStatus(resp *http.Response) (status metav1.Status) {
	body, err := io.ReadAll(&bounded{from: resp.Body})
	rest := io.Reader(bytes.NewReader(body))
	if err != nil {
		rest = io.MultiReader(rest, broken{err})
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{rest, resp.Body}
	if err != nil || json.Unmarshal(body, &status) != nil {
		return metav1.Status{}
	}
	return status
}

// broken is the end of an answer that was not whole.
type broken struct{ error }

func (b broken) Read([]byte) (int, error) { return 0, b.error }
