package variables

import (
	"encoding/json"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/validation"
)

func TestReplace(t *testing.T) {
	for object, want := range map[string]string{
		`{"a":"${A}-gpu","${K}":["${A:=\"b\"}${B//a/b}"]}`: `{"a":"x-gpu","x":["xx"]}`,
		`{"a":"$(A) $A ${} ${","b":"}"}`:                   `{"a":"$(A) $A ${} ${","b":"}"}`,
		`{"a":"{{ .a }}-{{ b \"c\" }}","{{k}}":"${A}"}`:    `{"a":"x-x","x":"x"}`,
		`{"a":"{{ .a","b":"}}","c":{"d":{}}}`:              `{"a":"{{ .a","b":"}}","c":{"d":{}}}`,
	} {
		if got := string(Replace([]byte(object))); got != want {
			t.Errorf("%s becomes %s, want %s", object, got, want)
		}
	}
}

func TestWithTypes(t *testing.T) {
	read := func(object []byte) string {
		var into struct {
			Count int64
			Admin bool
			Name  string
		}
		err := json.Unmarshal(object, &into)
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return e.Field
		}
		return ""
	}
	readable, typed := WithTypes([]byte(`{"Count":"${N}","Admin":"${A}","Name":"${B}"}`), read)
	if got, want := string(readable), `{"Count":2,"Admin":true,"Name":"${B}"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(typed) != 2 || typed[0].Path != "Count" || string(typed[0].Text) != `"${N}"` {
		t.Errorf("got %v", typed)
	}
	for _, wrong := range []string{`{"Count":"a"}`, `{"Count":"{{ .count }}"}`, `{"Count":"a","Name":"${B}"}`} {
		if readable, typed := WithTypes([]byte(wrong), read); string(readable) != wrong || typed != nil {
			t.Errorf("%s, where no variable has the type of the field, becomes %s", wrong, readable)
		}
	}
}

func TestWithoutErrorsOnVariables(t *testing.T) {
	object := []byte(`{"spec":{"devices":{"requests":[{"name":"${R}","allocationMode":"${M}"}]}}}`)
	errs := []validation.Error{}
	for _, path := range []string{
		"spec.devices.requests[0].exactly.allocationMode", "spec.devices.requests[0].name",
		"spec.devices.constraints[0].requests[0]", "spec.devices.requests[0].exactly.count", "metadata.name",
	} {
		errs = append(errs, validation.Error{Error: &field.Error{Field: path}})
	}
	remaining := WithoutErrorsOnVariables(errs, object)
	if len(remaining) != 2 || remaining[0].Field != errs[3].Field || remaining[1].Field != "metadata.name" {
		t.Errorf("got %v", remaining)
	}
	if remaining := WithoutErrorsOnVariables(errs, []byte(`{}`)); len(remaining) != len(errs) {
		t.Errorf("without variables %v is left", remaining)
	}
}
