package oracle

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// Intended differences, each with its reason.
const (
	// Rules of claimbridge check the whole object as it would be stored in v1. If the old object is one that its release
	// would never have stored, they may reject a write that keeps it invalid. If the old object is valid, they may not.
	storedIsInvalid = "the stored object is not valid in its own release"

	// Releases panic on some input. Their API server returns 500 and stores nothing, so claimbridge must reject it too,
	// with any error.
	upstreamPanics = "the release panics"

	// An API server of a release answers 500 for what it has stored and cannot decode. Here that
	// can be mended, in the version in which it is stored.
	storedIsUnreadable = "the stored object cannot be decoded"

	// Releases count the bytes of parameters as the client wrote them, and we those of their
	// shortest spelling: behind the API server of a CRD < has become six bytes.
	shortestSpelling = "the parameters are small enough in their shortest spelling"

	// 1.31 compiles expressions of any cost, and we do not: see decision 9.
	tooDear = "the expression costs too much to compile"

	// What is reported of devices goes when they are deallocated, in an API server of a release. A
	// custom resource keeps it, and so it may stay.
	staleReports = "what is stored is reported of devices that are not allocated"

	// A field that a release does not have may be of any type there.
	unknownField = "the release does not have the field, whose type is wrong"

	// An API server drops a field that its release does not have, or not by default, before it
	// compares. A custom resource would keep it, and change where it must not.
	dropped = "the release drops what changes"

	// The CEL of 1.32 takes what two unknown values cost to compare for infinite: dyn(1) == dyn(1).
	// Later ones, and we, do not.
	otherEstimate = "1.32 estimates the cost of an expression otherwise"

	// A controller is stored as an entry of configuration, for which there is no room beside 32 others.
	oneEntryMore = "the controller is the 33rd entry of configuration"

	// A template that an older version stored, and that exceeds a later limit, accepts labels and the removal of
	// finalizers. In the release, it cannot exist.
	outgrown = "the template is older than the limit"

	// Up to 1.30 the driver of an allocated claim may change, and with it the devices that are
	// stored. In v1 an allocation is immutable.
	immutableInV1 = "v1 lets no allocation change"

	// In v1beta1 and later, entries of claimbridge do not count against the limit of 64 for an allocation.
	ownEntries = "entries of claimbridge.dev do not count"

	// Releases compare the bytes of opaque parameters, and we what they say. Behind the API server
	// of a CRD that is the same, since it rewrites both objects.
	otherBytes = "the parameters say the same in other bytes"

	// From 1.37 on declarative validation reports some errors of v1beta1 at paths without exactly, in
	// place of those at paths that have it. claimbridge reports the latter.
	declarativePaths = "declarative validation has the path without exactly"
)

// hasDeclarativeValidation reports whether a release has it in addition.
func hasDeclarativeValidation(release string) bool { return api.Minor(release) >= 37 }

// withoutExactly returns errors at the paths that v1beta1 itself has.
func withoutExactly(errors map[string]bool) map[string]bool {
	flat := map[string]bool{}
	for e := range errors {
		flat[strings.Replace(e, "].exactly.", "].", 1)] = true
	}
	return flat
}

// agreeOnAnotherDriver reports whether both agree if the entries of claimbridge have another driver.
func agreeOnAnotherDriver(t *testing.T, u *upstream, r validation.Request) bool {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		*object = bytes.ReplaceAll(*object, []byte(`"`+names.Domain+`"`), []byte(`"driver.example.com"`))
	}
	ours, err := validation.Validate(t.Context(), r)
	if err != nil {
		return false
	}
	got := map[string]bool{}
	for _, e := range ours.Errors {
		got[typeAndField(e)] = true
	}
	return maps.Equal(contentOf(u.ask(t, r)), got)
}

// readable reports whether we can read an object: a field of the wrong type that came later than
// the release is not looked at there.
func readable(object []byte) bool {
	_, err := conversion.Parse(object)
	return err == nil
}

// writtenAnew is a write whose parameters are spelled as an API server spells them, or as shortly
// as can be; rewritten tells whether they were spelled otherwise.
func writtenAnew(t *testing.T, r validation.Request, escape bool) (_ validation.Request, rewritten bool) {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		anew := sortedParameters(t, *object, escape)
		rewritten = rewritten || !bytes.Equal(anew, *object)
		*object = anew
	}
	return r, rewritten
}

// sortedParameters writes parameters with their members in order, and leaves all other bytes unchanged: white space in
// the data that a driver reports counts against its limit.
func sortedParameters(t *testing.T, object []byte, escape bool) []byte {
	t.Helper()
	var out []byte
	written := 0
	from := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	for {
		token, err := from.ReadToken()
		if err != nil {
			return append(out, object[written:]...)
		}
		in, read := from.StackIndex(from.StackDepth())
		if in != '{' || read%2 == 0 || !strings.HasSuffix(strings.ToLower(token.String()), "parameters") {
			continue // no name of a member
		}
		value := must.Get(from.ReadValue())(t)
		var parameters any
		if json.Unmarshal(value, &parameters) != nil {
			continue
		}
		var anew bytes.Buffer
		encoder := json.NewEncoder(&anew)
		encoder.SetEscapeHTML(escape)
		must.Do(t, encoder.Encode(parameters))
		end := int(from.InputOffset())
		out = append(append(out, object[written:end-len(value)]...), bytes.TrimSpace(anew.Bytes())...)
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
		at, found := strings.CutPrefix(e, "Invalid status.devices[")
		if !found || !strings.HasSuffix(at, "]") || strings.Count(at, "]") > 1 {
			return false
		}
	}
	return len(missing) > 0
}

// isPart tells whether all errors of one are the other's too.
func isPart(some, all map[string]bool) bool {
	for e := range some {
		if !all[e] {
			return false
		}
	}
	return true
}

func isTemplate(object []byte) bool {
	h, err := conversion.ReadHeader(object)
	return err == nil && h.Kind == api.KindTemplate
}

// onlyOwn reports whether all errors are of rules of claimbridge.
func onlyOwn(errs []validation.Error) bool {
	return !slices.ContainsFunc(errs, func(e validation.Error) bool { return !ownRules[e.Rule] })
}

var ownRules = func() map[string]bool {
	own := map[string]bool{}
	for _, version := range conversion.Versions() {
		for _, r := range validation.Rules(version, "") { // which every release has
			if r.Source == "claimbridge" {
				own[r.Name] = true
			}
		}
	}
	return own
}()

// neverStored reports whether upstream rejects the create of an object, or the write of its status.
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
