package test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// comparison of what upstream and claimbridge say about one write.
type comparison struct {
	// difference is empty when they agree.
	difference string
	// rules of upstream that refuse, and whether there is any verdict: undecodable objects have none.
	rules   map[string]bool
	decided bool
	// errors of upstream.
	errors int
	// excused names the intended difference that this is.
	excused string
}

// Intended differences, each with its reason.
const (
	// Rules of our own look at the whole object as it would be stored in the newest version. Where an old object is there
	// that its own release would never have stored, they may refuse a write that leaves it as bad as it is; where the old
	// object is valid, they may not.
	storedIsInvalid = "the stored object is not valid in its own release"

	// Releases panic on some input. Their API server answers 500 and stores nothing, so claimbridge has to refuse too, for
	// whatever reason.
	upstreamPanics = "the release panics"

	// An API server of a release answers 500 for what it has stored and cannot decode. Here that can be mended, in the version
	// in which it is stored.
	storedIsUnreadable = "the stored object cannot be decoded"

	// 1.31 compiles expressions of any cost, and we do not: see decision 31.
	tooDear = "the expression costs too much to compile"

	// What is reported of devices goes when they are deallocated, in an API server of a release. A custom resource keeps it, and
	// so it may stay.
	staleReports = "what is stored is reported of devices that are not allocated"

	// A field that a release does not have may be of any type there.
	unknownField = "the release does not have the field, whose type is wrong"

	// An API server drops a field that its release does not have, or not by default, before it compares. A custom resource would
	// keep it, and change where it must not.
	dropped = "the release drops what changes"

	// The CEL of 1.32 takes what two unknown values cost to compare for infinite: dyn(1) == dyn(1). Later ones, and we, do not.
	otherEstimate = "1.32 estimates the cost of an expression otherwise"

	// A controller is stored as an entry of configuration, for which there is no room beside 32 others.
	oneEntryMore = "the controller is the 33rd entry of configuration"

	// From v1beta1 on, entries of our own do not count against the 64 that an allocation may have.
	ownEntries = "entries of claimbridge.dev do not count"

	// Releases compare the bytes of opaque parameters, and we what they say. Behind the API server of a CRD that is the same,
	// since it writes both objects anew.
	otherBytes = "the parameters say the same in other bytes"
)

// compare asks both. They agree when both cannot read an object, or both find the same errors, as the set of their
// types and fields. Where upstream finds none, rules of our own find none either: objects of this test have no leftovers.
func compare(t *testing.T, u *upstream, r validation.Request) (c comparison) {
	t.Helper()
	r.Release = u.name
	theirs := u.ask(t, r)
	ours, err := validation.Judge(t.Context(), r)
	if theirs.Panic != "" {
		if c.excused = upstreamPanics; err == nil && len(ours.Errors) == 0 {
			c.difference = "upstream panics: " + theirs.Panic + "\nclaimbridge: accepts"
		}
		return c
	}
	if theirs.Undecodable != "" && err == nil && r.Operation != validation.Create &&
		(u.ask(t, validation.Request{Operation: validation.Create, Object: r.OldObject}).Undecodable != "" || !readable(r.OldObject)) {
		c.excused = storedIsUnreadable
		return c
	}
	if err != nil && theirs.Undecodable == "" {
		if known := withoutUnknown(t, r); u.ask(t, known).Undecodable == "" {
			if _, err := validation.Judge(t.Context(), known); err == nil {
				c.excused = unknownField
				return c
			}
		}
	}
	if (err != nil) != (theirs.Undecodable != "") {
		said := "reads it"
		if err != nil {
			said = err.Error()
		}
		c.difference = "upstream: " + orElse(theirs.Undecodable, "reads it") + "\nclaimbridge: " + said
		return c
	}
	if err != nil {
		return c
	}
	c.decided, c.rules, c.errors = true, map[string]bool{}, len(theirs.content())
	want, got := contentOf(theirs), map[string]bool{}
	for _, e := range ours.Errors {
		c.rules[e.Rule] = true
		if e.Rule == "selector-expression-compiles" && strings.Contains(e.Detail, "claimbridge") { // whatever upstream says of it
			c.excused = tooDear
			delete(want, "Invalid "+e.Field)
			delete(want, "Forbidden "+e.Field)
			continue
		}
		got[typeAndField(e)] = true
	}
	if maps.Equal(want, got) {
		return c
	}
	if again, rewritten := writtenAnew(t, r); rewritten {
		if want = contentOf(u.ask(t, again)); maps.Equal(want, got) {
			c.excused = otherBytes
			return c
		}
	}
	if tooMany := "TooMany status.allocation.devices.config"; want[tooMany] != got[tooMany] && agreeOnAnotherDriver(t, u, r) {
		c.excused = ownEntries
		return c
	}
	if u.name == "1.32" && onlyCost(want, got) {
		c.excused = otherEstimate
		return c
	}
	if stale := onlyStale(want, got) || onlyOwn(ours.Errors) && onlyStale(want, nil); stale && neverStored(t, u, r.OldObject) {
		c.excused = staleReports
		return c
	}
	if len(want) == 0 && len(c.rules) == 1 && (c.rules["dropped-field-is-unchanged"] ||
		(c.rules["stored-spec-is-unchanged"] || c.rules["stored-content-is-valid"]) && u.name > "1.31") {
		c.excused = dropped
		return c
	}
	if len(want) == 0 && onlyOwn(ours.Errors) && strings.Contains(ours.Errors[0].Detail, "config-at-most-32") {
		c.excused = oneEntryMore
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
	c.difference = cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	for _, e := range theirs.content() {
		c.difference += "\nupstream: " + e.Field + ": " + e.Detail
	}
	for _, e := range ours.Errors {
		c.difference += "\nclaimbridge: " + e.Rule + ": " + e.Error.Error()
	}
	return c
}

// agreeOnAnotherDriver tells whether the two agree once the entries of our own are those of somebody else.
func agreeOnAnotherDriver(t *testing.T, u *upstream, r validation.Request) bool {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		*object = bytes.ReplaceAll(*object, []byte(`"`+names.Domain+`"`), []byte(`"driver.example.com"`))
	}
	ours, err := validation.Judge(t.Context(), r)
	if err != nil {
		return false
	}
	got := map[string]bool{}
	for _, e := range ours.Errors {
		got[typeAndField(e)] = true
	}
	return maps.Equal(contentOf(u.ask(t, r)), got)
}

func typeAndField(e validation.Error) string {
	return strings.TrimPrefix(string(e.Type), "FieldValue") + " " + e.Field
}

// readable reports whether we can read an object: a field of the wrong type that came later than the release is not looked at
// there.
func readable(object []byte) bool {
	_, err := conversion.Inspect(object)
	return err == nil
}

// contentOf what upstream says: the types and fields of its errors.
func contentOf(a answer) map[string]bool {
	content := map[string]bool{}
	for _, e := range a.content() {
		content[strings.TrimPrefix(e.Type, "FieldValue")+" "+e.Field] = true
	}
	return content
}

// writtenAnew is an update whose parameters are written as an API server writes them, unless they are.
func writtenAnew(t *testing.T, r validation.Request) (_ validation.Request, rewritten bool) {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		anew := parametersAnew(t, *object)
		rewritten = rewritten || !bytes.Equal(anew, *object)
		*object = anew
	}
	return r, rewritten && r.Operation != validation.Create
}

// parametersAnew writes parameters with their members in order, and leaves all else as it is, to the byte: the white space in the data that a
// driver reports counts against its bound.
func parametersAnew(t *testing.T, object []byte) []byte {
	t.Helper()
	var out []byte
	written := 0
	from := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := from.ReadToken()
		if err != nil {
			return append(out, object[written:]...)
		}
		if in, read := from.StackIndex(from.StackDepth()); in != '{' || read%2 == 0 || !strings.HasSuffix(strings.ToLower(token.String()), "parameters") {
			continue // no name of a member
		}
		value, err := from.ReadValue()
		if err != nil {
			t.Fatal(err)
		}
		var parameters any
		if json.Unmarshal(value, &parameters) != nil {
			continue
		}
		anew, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		end := int(from.InputOffset())
		out = append(append(out, object[written:end-len(value)]...), anew...)
		written = end
	}
}

// onlyCost tells whether the two differ in nothing but what expressions cost too much.
func onlyCost(want, got map[string]bool) bool {
	rest := func(of map[string]bool) map[string]bool {
		of = maps.Clone(of)
		maps.DeleteFunc(of, func(e string, _ bool) bool {
			return strings.HasPrefix(e, "Forbidden ") && strings.HasSuffix(e, ".cel.expression")
		})
		return of
	}
	return maps.Equal(rest(want), rest(got))
}

// onlyStale tells whether all that we miss is that devices are not allocated.
func onlyStale(want, got map[string]bool) bool {
	missing := maps.Clone(want)
	for e := range got {
		if !want[e] {
			return false
		}
		delete(missing, e)
	}
	for e := range missing {
		if at, found := strings.CutPrefix(e, "Invalid status.devices["); !found || !strings.HasSuffix(at, "]") || strings.Count(at, "]") > 1 {
			return false
		}
	}
	return len(missing) > 0
}

// onlyOwn tells whether all errors are of rules of our own.
func onlyOwn(errs []validation.Error) bool {
	return !slices.ContainsFunc(errs, func(e validation.Error) bool { return !ownRules[e.Rule] })
}

var ownRules = func() map[string]bool {
	own := map[string]bool{}
	for _, version := range conversion.Versions() {
		for _, r := range validation.Rules(version) { // which every release has
			if r.Source == "claimbridge" {
				own[r.Name] = true
			}
		}
	}
	return own
}()

// neverStored tells whether upstream refuses to create an object, or to give it the status that it has.
func neverStored(t *testing.T, u *upstream, object []byte) bool {
	t.Helper()
	accepts := func(r validation.Request) bool {
		a := u.ask(t, r)
		return len(a.content()) == 0 && a.Undecodable == "" && a.Panic == ""
	}
	if !accepts(validation.Request{Operation: validation.Create, Object: object}) {
		return true
	}
	if h, err := conversion.ReadHeader(object); err != nil || h.Kind != objects.Kinds[0] {
		return err != nil
	}
	return !accepts(validation.Request{Operation: validation.UpdateStatus, OldObject: object, Object: object})
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// smallest drops members and items of the objects for as long as the two sides disagree.
func smallest(t *testing.T, u *upstream, w *writeTree) (request validation.Request, difference string) {
	t.Helper()
	request = w.request(t)
	difference = compare(t, u, request).difference
	for again := true; again; {
		again = false
		for _, cut := range w.cuts() {
			undo := cut()
			if undo == nil {
				continue
			}
			smaller := w.request(t)
			if d := compare(t, u, smaller).difference; d != "" {
				request, difference, again = smaller, d, true
				break
			}
			undo()
		}
	}
	return request, difference
}

// fieldsSince a release of Kubernetes, by their names, or by those of what they are in and of their own.
var fieldsSince = map[string][]string{
	"1.32": {"status.devices", "results.adminAccess"},
	"1.33": {"firstAvailable", "tolerations"},
	"1.34": {
		"capacity", "distinctAttribute", "allocationTimestamp", "bindingConditions", "bindingFailureConditions", "shareID", "consumedCapacity",
	},
	"1.37": {"derivedAttributes", "skipNodeOperations"},
}

// unknownTo a release are the fields that came later, or that were gone.
func unknownTo(release string) map[string]bool {
	unknown := map[string]bool{}
	for since, fields := range fieldsSince {
		for _, f := range fields {
			if since > release {
				unknown[f] = true
			}
		}
	}
	if release > "1.31" {
		for _, gone := range []string{"spec.controller", "allocation.controller", "status.deallocationRequested"} {
			unknown[gone] = true
		}
	}
	return unknown
}

// hasLaterFields of v1alpha3: those that 1.31 did not have. Rules judge them as 1.33 does, and the judge of 1.31 drops them.
func hasLaterFields(object tree) bool { return withoutFields(object, "", unknownTo("1.31"), false) }

func dropLaterFields(object tree) { withoutFields(object, "", unknownTo("1.31"), true) }

// withoutFields reports whether an object has any, and takes them away if that is wanted.
func withoutFields(value any, at string, fields map[string]bool, remove bool) (found bool) {
	switch v := value.(type) {
	case tree:
		for _, key := range slices.Collect(maps.Keys(v)) {
			name := strings.TrimSuffix(key, duplicate)
			if !fields[name] && !fields[at+"."+name] {
				found = withoutFields(v[key], name, fields, remove) || found
				continue
			}
			if found = true; remove {
				delete(v, key)
			}
		}
	case []any:
		for _, item := range v {
			found = withoutFields(item, at, fields, remove) || found
		}
	}
	return found
}

// withoutUnknown is a write without the fields that a release does not have.
func withoutUnknown(t *testing.T, r validation.Request) validation.Request {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		if len(*object) > 0 {
			o := parse(t, *object)
			withoutFields(o, "", unknownTo(r.Release), true)
			*object = render(t, o, false)
		}
	}
	return r
}

// dropOurField takes away what no release has.
func dropOurField(object tree) {
	if status, ok := object["status"].(tree); ok {
		maps.DeleteFunc(status, func(name string, _ any) bool { return strings.HasPrefix(strings.ToLower(name), "claimbridge") })
	}
}
