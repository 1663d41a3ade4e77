package review

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// lenient options read JSON as an API server's decoder does: names are case-sensitive, and duplicate names and invalid
// UTF-8 are accepted. Values nest at most 10,000 levels deep.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// decoding options are lenient and limit the number of objects in a review.
var decoding = json.JoinOptions(lenient, json.WithUnmarshalers(json.UnmarshalFromFunc(decodeObjects)))

// encoding options keep the text of strings in objects.
var encoding = json.JoinOptions(lenient, jsontext.PreserveRawStrings(true))

const (
	// maxUID is the maximum length in bytes of the uid of a review. The uid of an API server has 36.
	maxUID = 4096
	// maxObjects is the maximum number of objects in a review: a list item of one byte becomes a struct of 40. API
	// servers send one object.
	maxObjects = 100_000
)

// decodeReview decodes a ConversionReview or an AdmissionReview.
func decodeReview(body []byte, review any) error {
	err := json.Unmarshal(body, review, decoding)
	if err == nil {
		return nil
	}
	var rejected *httperror.Error
	if errors.As(err, &rejected) {
		return rejected
	}
	var mismatch *json.SemanticError
	if errors.As(err, &mismatch) && mismatch.JSONKind != jsontext.KindInvalid {
		return notAReview("the body is not a review: %s cannot be %s",
			cmp.Or(string(mismatch.JSONPointer), "its top level"), kindName(mismatch.JSONKind))
	}
	return notAReview("the body is not a review: %v", err)
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindBeginArray:
		return "an array"
	case jsontext.KindBeginObject:
		return "an object"
	}
	return "a " + kind.String()
}

// decodeObjects decodes the objects of a ConversionReview.
func decodeObjects(d *jsontext.Decoder, objects *[]runtime.RawExtension) error {
	if d.PeekKind() != jsontext.KindBeginArray {
		return errors.ErrUnsupported // the default decoding returns the error
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	*objects = nil
	for d.PeekKind() != jsontext.KindEndArray {
		object, err := d.ReadValue()
		if err != nil {
			return err
		}
		if len(*objects) == maxObjects {
			return httperror.New(http.StatusRequestEntityTooLarge,
				"the review holds more than %d objects: send fewer at a time", maxObjects)
		}
		*objects = append(*objects, runtime.RawExtension{Raw: bytes.Clone(object)})
	}
	_, err := d.ReadToken()
	return err
}

// checkReview returns an error unless a review has a kind and group, in a version that API servers send. The versions
// have the same fields.
func checkReview(kind, apiVersion, wantKind, wantGroup, uid string, hasRequest bool) error {
	group, version, _ := strings.Cut(apiVersion, "/")
	if kind != wantKind || group != wantGroup || version != "v1" && version != "v1beta1" {
		return notAReview("this is kind %q of apiVersion %q: must be %s of %s/v1 or %[4]s/v1beta1",
			httperror.Truncate(kind, 64), httperror.Truncate(apiVersion, 64), wantKind, wantGroup)
	}
	if !hasRequest {
		return notAReview("the review has no request")
	}
	if len(uid) > maxUID {
		return notAReview("the uid is longer than %d bytes", maxUID)
	}
	return nil
}
