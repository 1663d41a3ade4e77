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

// comparison of what upstream and claimbridge say about one write.
type comparison struct {
	// difference is empty when they agree.
	difference string
	// rules of upstream that reject, and whether there is any result: undecodable objects have none.
	rules   map[string]bool
	decided bool
	// errors of upstream.
	errors int
	// excused names the intended difference that this is.
	excused string
}

// compare asks both. They agree when both cannot read an object, or both find the same errors, as
// the set of their types and fields. Where upstream finds none, rules of our own find none either:
// objects of this test have no leftovers.
func compare(t *testing.T, u *upstream, r validation.Request) comparison {
	t.Helper()
	r.Release = u.Name
	before := u.unanswered
	theirs := u.ask(t, r)
	if u.unanswered > before {
		return comparison{difference: missingRecord}
	}
	ours, err := validation.Validate(t.Context(), r)
	c := weigh(t, u, r, theirs, ours, err)
	if u.unanswered > before && c.difference == "" { // no excuse without an answer
		c.excused, c.difference = "", differ(contentOf(theirs), theirs, ours)+"\nto compare further: "+missingRecord
	}
	return c
}

// weigh what they say, with more questions where they do not agree.
func weigh(t *testing.T, u *upstream, r validation.Request, theirs answer, ours validation.Result,
	err error,
) (c comparison) {
	t.Helper()
	if theirs.Panic != "" {
		if c.excused = upstreamPanics; err == nil && len(ours.Errors) == 0 {
			c.difference = "upstream panics: " + theirs.Panic + "\nclaimbridge: accepts"
		}
		return c
	}
	if theirs.Undecodable != "" && err == nil && r.Operation != validation.Create &&
		(u.ask(t, validation.Request{
			Operation: validation.Create, Object: r.OldObject,
		}).Undecodable != "" || !readable(r.OldObject)) {
		c.excused = storedIsUnreadable
		return c
	}
	if err != nil && theirs.Undecodable == "" {
		if known := withoutUnknown(t, r); u.ask(t, known).Undecodable == "" {
			if _, err := validation.Validate(t.Context(), known); err == nil {
				c.excused = unknownField
				return c
			}
		}
	}
	if (err != nil) != (theirs.Undecodable != "") {
		result := "reads it"
		if err != nil {
			result = err.Error()
		}
		c.difference = "upstream: " + orElse(theirs.Undecodable, "reads it") + "\nclaimbridge: " + result
		return c
	}
	if err != nil {
		return c
	}
	c.decided, c.rules, c.errors = true, map[string]bool{}, len(theirs.content())
	want, got := contentOf(theirs), map[string]bool{}
	for _, e := range ours.Errors {
		c.rules[e.Rule] = true
		if e.Rule == "selector-expression-compiles" && strings.Contains(e.Detail, "claimbridge") {
			// whatever upstream says of it
			c.excused = tooDear
			delete(want, "Invalid "+e.Field)
			delete(want, "Forbidden "+e.Field)
			continue
		}
		if e.Rule == "stored-allocation-is-unchanged" && !want[typeAndField(e)] {
			c.excused = immutableInV1
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
	if again, rewritten := writtenAnew(t, r, true); rewritten && r.Operation != validation.Create {
		if want = contentOf(u.ask(t, again)); maps.Equal(want, got) {
			c.excused = otherBytes
			return c
		}
	}
	if again, rewritten := writtenAnew(t, r, false); rewritten && maps.Equal(contentOf(u.ask(t, again)), got) {
		c.excused = shortestSpelling
		return c
	}
	tooMany := "TooMany status.allocation.devices.config"
	if want[tooMany] != got[tooMany] && agreeOnAnotherDriver(t, u, r) {
		c.excused = ownEntries
		return c
	}
	if u.Name == "1.32" && onlyCost(want, got) {
		c.excused = otherEstimate
		return c
	}
	stale := onlyStale(want, got) || onlyOwn(ours.Errors) && onlyStale(want, nil)
	if stale && neverStored(t, u, r.OldObject) {
		c.excused = staleReports
		return c
	}
	if len(want) == 0 && len(c.rules) == 1 && (c.rules["dropped-field-is-unchanged"] ||
		(c.rules["stored-spec-is-unchanged"] || c.rules["stored-content-is-valid"]) && u.Name > "1.31") {
		c.excused = dropped
		return c
	}
	if len(want) == 0 && onlyOwn(ours.Errors) && strings.Contains(ours.Errors[0].Detail, "config-at-most-32") {
		c.excused = oneEntryMore
		return c
	}
	if isTemplate(r.Object) && r.Operation == validation.Update && isPart(got, want) && neverStored(t, u, r.OldObject) {
		c.excused = outgrown
		return c
	}
	if len(want) == 0 && onlyOwn(ours.Errors) && r.Operation != validation.Create && neverStored(t, u, r.OldObject) {
		c.excused = storedIsInvalid
		return c
	}
	if r.Operation != validation.Create && !readable(r.OldObject) { // so that it may be mended in the newest version
		c.excused = storedIsUnreadable
		return c
	}
	c.difference = differ(want, theirs, ours)
	return c
}

// differ says how what upstream says differs from what we say.
func differ(want map[string]bool, theirs answer, ours validation.Result) string {
	got := map[string]bool{}
	for _, e := range ours.Errors {
		got[typeAndField(e)] = true
	}
	difference := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	if unread := theirs.Undecodable + theirs.Panic; unread != "" {
		difference += "\nupstream: " + unread
	}
	for _, e := range theirs.content() {
		difference += "\nupstream: " + e.Field + ": " + e.Detail
	}
	for _, e := range ours.Errors {
		difference += "\nclaimbridge: " + e.Rule + ": " + e.Error.Error()
	}
	return difference
}

func typeAndField(e validation.Error) string {
	return strings.TrimPrefix(string(e.Type), "FieldValue") + " " + e.Field
}

// contentOf what upstream says: the types and fields of its errors.
func contentOf(a answer) map[string]bool {
	content := map[string]bool{}
	for _, e := range a.content() {
		content[strings.TrimPrefix(e.Type, "FieldValue")+" "+e.Field] = true
	}
	return content
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
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
