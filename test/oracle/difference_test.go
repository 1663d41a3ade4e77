package oracle

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/validation"
)

// comparison of the results of upstream and of claimbridge for one write.
type comparison struct {
	// difference is empty when they agree.
	difference string
	// rules of claimbridge that reject the write.
	rules map[string]bool
	// hasResult is false if an object cannot be decoded.
	hasResult bool
	// errorCount is the number of errors of upstream.
	errorCount int
	// excused is the intended difference, if it is one.
	excused string
}

// compare validates a write with both. They agree if neither can decode an object, or if both return the same set of
// types and fields of errors. If upstream returns none, the rules of claimbridge return none either, because the
// objects of this test have no preserved data.
func compare(t *testing.T, u *upstream, r validation.Request) comparison {
	t.Helper()
	r.Release = u.Name
	before := u.unanswered
	expected := u.ask(t, r)
	if u.unanswered > before {
		return comparison{difference: missingRecord}
	}
	actual, err := validation.Validate(t.Context(), r)
	c := compareResults(t, u, r, expected, actual, err)
	if u.unanswered > before && c.difference == "" { // only an answer can show that a difference is intended
		c.excused, c.difference = "", describeDifference(errorSet(expected), expected, actual)+
			"\nto find out whether it is intended: "+missingRecord
	}
	return c
}

// compareResults compares both results. If they differ, it asks upstream about similar writes, to find out whether the
// difference is intended.
func compareResults(t *testing.T, u *upstream, r validation.Request, expected answer, actual validation.Result,
	err error,
) (c comparison) {
	t.Helper()
	if expected.Panic != "" {
		if c.excused = upstreamPanics; err == nil && len(actual.Errors) == 0 {
			c.difference = "upstream panics: " + expected.Panic + "\nclaimbridge: accepts"
		}
		return c
	}
	if expected.Undecodable != "" && err == nil && r.Operation != validation.Create &&
		(u.ask(t, validation.Request{
			Operation: validation.Create, Object: r.OldObject,
		}).Undecodable != "" || !isDecodable(r.OldObject)) {
		c.excused = storedIsUndecodable
		return c
	}
	if err != nil && expected.Undecodable == "" {
		if known := withoutUnknown(t, r); u.ask(t, known).Undecodable == "" {
			if _, err := validation.Validate(t.Context(), known); err == nil {
				c.excused = unknownFieldType
				return c
			}
		}
	}
	if (err != nil) != (expected.Undecodable != "") {
		result := "decodes it"
		if err != nil {
			result = err.Error()
		}
		c.difference = "upstream: " + orElse(expected.Undecodable, "decodes it") + "\nclaimbridge: " + result
		return c
	}
	if err != nil {
		return c
	}
	c.hasResult, c.rules, c.errorCount = true, map[string]bool{}, len(expected.contentErrors())
	want, got := errorSet(expected), map[string]bool{}
	for _, e := range actual.Errors {
		c.rules[e.Rule] = true
		if e.Rule == "selector-expression-compiles" && strings.Contains(e.Detail, "claimbridge") {
			// The result of upstream does not matter.
			c.excused = expensiveExpression
			delete(want, "Invalid "+e.Field)
			delete(want, "Forbidden "+e.Field)
			continue
		}
		if e.Rule == "stored-allocation-is-unchanged" && !want[typeAndField(e)] {
			c.excused = immutableAllocation
			continue
		}
		got[typeAndField(e)] = true
	}
	if maps.Equal(want, got) {
		return c
	}
	if hasDeclarativeValidation(u.Name) && maps.Equal(withoutExactly(want), withoutExactly(got)) {
		c.excused = declarativePaths
		return c
	}
	if rewritten, changed := rewriteParameters(t, r, true); changed && r.Operation != validation.Create {
		if want = errorSet(u.ask(t, rewritten)); maps.Equal(want, got) {
			c.excused = otherEncoding
			return c
		}
	}
	if rewritten, changed := rewriteParameters(t, r, false); changed && maps.Equal(errorSet(u.ask(t, rewritten)), got) {
		c.excused = shortestEncoding
		return c
	}
	tooMany := "TooMany status.allocation.devices.config"
	if want[tooMany] != got[tooMany] && matchesWithOtherDriver(t, u, r) {
		c.excused = preservedEntries
		return c
	}
	if u.Name == "1.32" && differOnlyInCost(want, got) {
		c.excused = otherCostEstimate
		return c
	}
	stale := missesOnlyStaleDevices(want, got) || areFromClaimbridge(actual.Errors) && missesOnlyStaleDevices(want, nil)
	if stale && cannotBeStored(t, u, r.OldObject) {
		c.excused = staleDevices
		return c
	}
	if len(want) == 0 && len(c.rules) == 1 && (c.rules["dropped-field-is-unchanged"] ||
		(c.rules["stored-spec-is-unchanged"] || c.rules["stored-content-is-valid"]) && u.Name > "1.31") {
		c.excused = droppedField
		return c
	}
	onlyClaimbridge := len(want) == 0 && areFromClaimbridge(actual.Errors)
	if onlyClaimbridge && strings.Contains(actual.Errors[0].Detail, "config-at-most-32") {
		c.excused = controllerExceedsLimit
		return c
	}
	if isTemplate(r.Object) && r.Operation == validation.Update && isSubset(got, want) &&
		cannotBeStored(t, u, r.OldObject) {
		c.excused = storedExceedsLaterLimit
		return c
	}
	if onlyClaimbridge && r.Operation != validation.Create && cannotBeStored(t, u, r.OldObject) {
		c.excused = storedIsInvalid
		return c
	}
	// It can be repaired in the newest version.
	if r.Operation != validation.Create && !isDecodable(r.OldObject) {
		c.excused = storedIsUndecodable
		return c
	}
	c.difference = describeDifference(want, expected, actual)
	return c
}

// describeDifference returns the difference between both results, with their messages.
func describeDifference(want map[string]bool, expected answer, actual validation.Result) string {
	got := map[string]bool{}
	for _, e := range actual.Errors {
		got[typeAndField(e)] = true
	}
	difference := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	if failure := expected.Undecodable + expected.Panic; failure != "" {
		difference += "\nupstream: " + failure
	}
	for _, e := range expected.contentErrors() {
		difference += "\nupstream: " + e.Field + ": " + e.Detail
	}
	for _, e := range actual.Errors {
		difference += "\nclaimbridge: " + e.Rule + ": " + e.Error.Error()
	}
	return difference
}

func typeAndField(e validation.Error) string {
	return strings.TrimPrefix(string(e.Type), "FieldValue") + " " + e.Field
}

// errorSet returns the types and fields of the errors of upstream.
func errorSet(a answer) map[string]bool {
	content := map[string]bool{}
	for _, e := range a.contentErrors() {
		content[strings.TrimPrefix(e.Type, "FieldValue")+" "+e.Field] = true
	}
	return content
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

func clip(text []byte) []byte {
	if len(text) > 4000 {
		return fmt.Appendf(bytes.Clone(text[:4000]), " ... %d bytes", len(text))
	}
	return text
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
