package validation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	templateWithRequest = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"gpu"},` +
		`"spec":{"spec":{"devices":{"requests":[{"name":"gpu",%s}]}}}}`
	exactCapacity = `"exactly":{"deviceClassName":"a.example.com","count":%d,"capacity":{"requests":{%s}}}`
	altCapacity   = `"firstAvailable":[{"name":%q,"deviceClassName":"a.example.com","capacity":{"requests":{%s}}}]`
)

// 1.38 validates what an update of a template changes, and 1.37 nothing.
func TestUnchangedCapacitiesAreNotValidated(t *testing.T) {
	const (
		exactly   = "spec.spec.devices.requests[0].exactly.capacity.requests"
		available = "spec.spec.devices.requests[0].firstAvailable[0].capacity.requests"
		negative  = "capacity-is-not-negative: Invalid "
		name      = "capacity-name-is-qualified: Invalid "
		immutable = "spec-is-immutable: Invalid spec"
	)
	exact := func(count int, capacities string) string { return fmt.Sprintf(exactCapacity, count, capacities) }
	alternative := func(name, capacities string) string { return fmt.Sprintf(altCapacity, name, capacities) }
	for what, test := range map[string]struct {
		old, new string
		want     []string
	}{
		"nothing changed": {old: exact(1, `"a-b":"-1"`), new: exact(1, `"a-b":"-1"`), want: []string{}},
		"the same capacities of another request": {
			old: exact(1, `"a-b":"-1"`), new: exact(2, `"a-b":"-1000m"`), want: []string{immutable},
		},
		"one negative value more": {
			old: exact(1, `"a-b":"-1"`), new: exact(1, `"a-b":"-1","c":"-1"`),
			want: []string{negative + exactly + "[c]", name + exactly, immutable},
		},
		"a capacity where there was none": {
			old: `"exactly":{"deviceClassName":"a.example.com"}`, new: exact(1, `"a":"-1"`),
			want: []string{negative + exactly + "[a]", immutable},
		},
		"the same capacities of an alternative": {
			old: alternative("b", `"a-b":"-1"`), new: alternative("b", `"a-b":"-1"`), want: []string{},
		},
		"an alternative of another name": {
			old: alternative("b", `"a-b":"-1"`), new: alternative("c", `"a-b":"-1"`),
			want: []string{negative + available + "[a-b]", name + available, immutable},
		},
		"an alternative where there was an exact request": {
			old: exact(1, `"a-b":"-1"`), new: alternative("c", `"a-b":"-1"`),
			want: []string{negative + available + "[a-b]", name + available, immutable},
		},
	} {
		t.Run(what, func(t *testing.T) {
			for release, want := range map[string][]string{"1.37": {}, "1.38": test.want} {
				if release == "1.37" && len(test.want) > 0 {
					want = []string{immutable}
				}
				result, err := Validate(t.Context(), Request{
					Operation: Update, Release: release,
					OldObject: fmt.Appendf(nil, templateWithRequest, test.old),
					Object:    fmt.Appendf(nil, templateWithRequest, test.new),
				})
				if diff := cmp.Diff(want, formatErrors(result.Errors)); diff != "" || err != nil {
					t.Errorf("%s: %v (-want +got):\n%s", release, err, diff)
				}
			}
		})
	}
}

// TestUnchangedClassesOfAlternativesAreNotValidated: releases with declarative validation, from 1.37 on, validate the
// class of an alternative only where an update of a template changes it.
func TestUnchangedClassesOfAlternativesAreNotValidated(t *testing.T) {
	const alternative = `"firstAvailable":[{"name":"a","count":%d,"deviceClassName":%q}]`
	const class = "device-class-name-is-subdomain: Required " +
		"spec.spec.devices.requests[0].firstAvailable[0].deviceClassName"
	for release, isValidated := range map[string]bool{"1.36": true, "1.37": false, "1.38": false} {
		for _, old := range []string{"", "c"} {
			result, err := Validate(t.Context(), Request{
				Operation: Update, Release: release,
				OldObject: fmt.Appendf(nil, templateWithRequest, fmt.Sprintf(alternative, 1, old)),
				Object:    fmt.Appendf(nil, templateWithRequest, fmt.Sprintf(alternative, 2, "")),
			})
			want := []string{"spec-is-immutable: Invalid spec"}
			if isValidated || old != "" {
				want = append([]string{class}, want...)
			}
			if diff := cmp.Diff(want, formatErrors(result.Errors)); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", release, err, diff)
			}
		}
	}
}

// TestStoredConsumedCapacityIsNotValidated: a claim that an earlier release allocated can be reserved.
func TestStoredConsumedCapacityIsNotValidated(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu","uid":"u"},` +
		`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"a.example.com"}}]}},` +
		`"status":{"allocation":{"devices":{"results":[{"request":"gpu","driver":"a.example.com","pool":"a",` +
		`"device":"a","consumedCapacity":{"a-b":"-1"}}]}}%s}}`
	result, err := Validate(t.Context(), Request{
		Operation: UpdateStatus, Release: "1.38", OldObject: fmt.Appendf(nil, claim, ""),
		Object: fmt.Appendf(nil, claim, `,"reservedFor":[{"resource":"pods","name":"a","uid":"1"}]`),
	})
	if err != nil || len(result.Errors) > 0 {
		t.Errorf("%v, %v", formatErrors(result.Errors), err)
	}
}

// TestLongCapacityNamesAreShortened: the path of a value has its name, which may be as long as the object.
func TestLongCapacityNamesAreShortened(t *testing.T) {
	claim := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"spec":{"devices":{"requests":[{"name":"gpu",` + fmt.Sprintf(exactCapacity, 1, `"`+strings.Repeat("ä", 1000)+
		`":"-1"`) + `}]}}}`
	result, err := Validate(t.Context(), Request{Operation: Create, Release: "1.38", Object: []byte(claim)})
	if err != nil || len(result.Errors) == 0 {
		t.Fatalf("%v, %v", formatErrors(result.Errors), err)
	}
	for _, e := range result.Errors {
		if len(e.Error.Error()) > 1000 {
			t.Errorf("%d bytes: %s", len(e.Error.Error()), e.Error)
		}
	}
}

// TestUnchangedAlternativesOfAmbiguousRequest: since 1.37, only declarative validation covers the alternatives of a
// request that also has exactly, and it skips a list that an update of a template leaves unchanged.
func TestUnchangedAlternativesOfAmbiguousRequest(t *testing.T) {
	const request = `"exactly":{"deviceClassName":%q},"firstAvailable":[{"name":"a","deviceClassName":"a"},` +
		`{"name":"a","deviceClassName":%q}]`
	const ambiguous = "request-has-one-kind: Invalid spec.spec.devices.requests[0]"
	const duplicate = "alternative-names-are-unique: Duplicate spec.spec.devices.requests[0].firstAvailable[1]"
	const immutable = "spec-is-immutable: Invalid spec"
	object := func(class, alternativeClass string) []byte {
		return fmt.Appendf(nil, templateWithRequest, fmt.Sprintf(request, class, alternativeClass))
	}
	for what, test := range map[string]struct {
		release string
		new     []byte
		want    []string
	}{
		"exactly is changed, 1.37":        {"1.37", object("b", "a"), []string{ambiguous, immutable}},
		"exactly is changed, 1.36":        {"1.36", object("b", "a"), []string{ambiguous, immutable}},
		"an alternative is changed, 1.37": {"1.37", object("a", "b"), []string{duplicate, ambiguous, immutable}},
		"an alternative is changed, 1.36": {"1.36", object("a", "b"), []string{ambiguous, immutable}},
	} {
		t.Run(what, func(t *testing.T) {
			result, err := Validate(t.Context(), Request{
				Operation: Update, Release: test.release, OldObject: object("a", "a"), Object: test.new,
			})
			if diff := cmp.Diff(test.want, formatErrors(result.Errors)); diff != "" || err != nil {
				t.Errorf("error %v, errors (-want +got):\n%s", err, diff)
			}
		})
	}
}
