// Package assert has the functions of testify that Kubernetes' tests of claims call, for tests whose errors come from
// claimbridge: it finds the errors of upstream in other words and in another order.
package assert

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestingT is a test.
type TestingT interface {
	Errorf(format string, args ...any)
}

// Equal compares two lists of field errors by the types and paths of the errors, and other values as they are.
func Equal(t TestingT, want, got any, _ ...any) bool {
	wantErrors, isErrors := want.(field.ErrorList)
	gotErrors, areErrors := got.(field.ErrorList)
	if !isErrors || !areErrors {
		if reflect.DeepEqual(want, got) {
			return true
		}
		t.Errorf("want %v, got %v", want, got)
		return false
	}
	wantCauses, gotCauses := Causes(wantErrors), Causes(gotErrors)
	if slices.Equal(wantCauses, gotCauses) {
		return true
	}
	t.Errorf("want errors %q\n got errors %q", wantCauses, gotCauses)
	return false
}

// Len compares the number of errors.
func Len(t TestingT, errs field.ErrorList, want int, _ ...any) bool {
	if len(errs) == want {
		return true
	}
	t.Errorf("want %d errors, got %d: %v", want, len(errs), errs)
	return false
}

// ErrorContains looks for a text in an error.
func ErrorContains(t TestingT, err error, text string, _ ...any) bool {
	if strings.Contains(err.Error(), text) {
		return true
	}
	t.Errorf("want an error with %q, got %v", text, err)
	return false
}

// Nil checks that a value is nil.
func Nil(t TestingT, got any, _ ...any) bool {
	if value := reflect.ValueOf(got); !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil() {
		return true
	}
	t.Errorf("want nil, got %v", got)
	return false
}

// WithinDuration compares two times.
func WithinDuration(t TestingT, want, got time.Time, delta time.Duration, _ ...any) bool {
	if difference := want.Sub(got).Abs(); difference <= delta {
		return true
	}
	t.Errorf("want %v, got %v", want, got)
	return false
}

// Diff compares two values, in place of go-cmp.
func Diff(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return fmt.Sprintf("want %+v\n got %+v", want, got)
}

// Causes returns the types and paths of errors, sorted and without duplicates.
func Causes(errs field.ErrorList) (causes []string) {
	for _, err := range errs {
		causes = append(causes, string(err.Type)+" "+err.Field)
	}
	slices.Sort(causes)
	return slices.Compact(causes)
}
