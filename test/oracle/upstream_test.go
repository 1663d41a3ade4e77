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

// source of answers: the running code of a release, or the record of its answers, which may not have one.
type source interface {
	answer(t *testing.T, question []byte) (a answer, known bool)
}

// answer of an upstream validator.
type answer struct {
	Errors      []problem
	Undecodable string
	Panic       string
	// Object that was converted. A record has its digest alone.
	Object json.RawMessage
	digest string
}

type problem struct{ Type, Field, Detail string }

// aboutContent is whether a webhook is asked about what has the problem: metadata is the API server's own business.
func (p problem) aboutContent() bool {
	return p.Field != "metadata" && !strings.HasPrefix(p.Field, "metadata.")
}

// content is the problems that a webhook has to find too.
func (a answer) content() []problem {
	return slices.DeleteFunc(slices.Clone(a.Errors), func(p problem) bool { return !p.aboutContent() })
}

var operationNames = map[validation.Operation]string{
	validation.Create: "create", validation.Update: "update", validation.UpdateStatus: "status",
}

// ask about a write. The objects go as they are, to the byte: an encoder would compact them.
func (u *upstream) ask(t *testing.T, r validation.Request) answer {
	t.Helper()
	question := append([]byte(`{"operation":"`+operationNames[r.Operation]+`","object":`), r.Object...)
	if r.Operation != validation.Create {
		question = append(append(question, `,"oldObject":`...), r.OldObject...)
	}
	return u.put(t, append(question, '}'))
}

// convert an object to a version by the release's own conversion, with the defaults of the object's version or without.
func (u *upstream) convert(t *testing.T, object []byte, version string, defaults bool) answer {
	t.Helper()
	question := append([]byte(`{"operation":"convert","version":"`+version+`","defaults":`+strconv.FormatBool(defaults)+
		`,"object":`),
		object...)
	return u.put(t, append(question, '}'))
}

func (u *upstream) put(t *testing.T, question []byte) answer {
	t.Helper()
	a, known := u.answer(t, question)
	if !known {
		u.unanswered++
	}
	return a
}
