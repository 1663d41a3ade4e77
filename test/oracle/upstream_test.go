package oracle

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// upstream is one release of Kubernetes, and the source of its answers.
type upstream struct {
	Validator
	source
	// unanswered counts the questions without an answer.
	unanswered int
}

// source returns answers: from the running code of a release, or from its record, which may not have one.
type source interface {
	answer(t *testing.T, question []byte) (a answer, known bool)
}

// answer of an upstream validator.
type answer struct {
	Errors      []problem
	Undecodable string
	Panic       string
	// Object is the converted object. A record has only its digest.
	Object json.RawMessage
	digest string
}

type problem struct{ Type, Field, Detail string }

// isAboutContent reports whether a webhook validates the field. The API server validates metadata.
func (p problem) isAboutContent() bool {
	return p.Field != "metadata" && !strings.HasPrefix(p.Field, "metadata.")
}

// contentErrors returns the errors that a webhook must also find.
func (a answer) contentErrors() []problem {
	return slices.DeleteFunc(slices.Clone(a.Errors), func(p problem) bool { return !p.isAboutContent() })
}

var operationNames = map[validation.Operation]string{
	validation.Create: "create", validation.Update: "update", validation.UpdateStatus: "status",
}

// ask returns the answer for a write. The objects are sent unchanged, because an encoder would compact them.
func (u *upstream) ask(t *testing.T, r validation.Request) answer {
	t.Helper()
	question := append([]byte(`{"operation":"`+operationNames[r.Operation]+`","object":`), r.Object...)
	if r.Operation != validation.Create {
		question = append(append(question, `,"oldObject":`...), r.OldObject...)
	}
	return u.query(t, append(question, '}'))
}

// convert converts an object to a version with the code of the release, with or without the defaults of its version.
func (u *upstream) convert(t *testing.T, object []byte, version string, defaults bool) answer {
	t.Helper()
	question := append([]byte(`{"operation":"convert","version":"`+version+`","defaults":`+strconv.FormatBool(defaults)+
		`,"object":`),
		object...)
	return u.query(t, append(question, '}'))
}

func (u *upstream) query(t *testing.T, question []byte) answer {
	t.Helper()
	a, known := u.answer(t, question)
	if !known {
		u.unanswered++
	}
	return a
}
