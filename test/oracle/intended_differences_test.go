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
	// Rules of claimbridge check the whole object as it would be stored in v1. If the old object is one that its
	// release would never have stored, they may reject a write that keeps it invalid. If the old object is valid, they
	// may not.
	storedIsInvalid = "the stored object is not valid in its own release"

	// Releases panic on some input. Their API server returns 500 and stores nothing, so claimbridge must reject it too,
	// with any error.
	upstreamPanics = "the release panics"

	// If an API server of a release cannot decode a stored object, it returns 500. claimbridge accepts a repair in the
	// storage version.
	storedIsUndecodable = "the stored object cannot be decoded"

	// Releases count the bytes of parameters as the client wrote them. claimbridge counts those of the shortest
	// encoding, because the API server of a CRD encodes < in six bytes.
	shortestEncoding = "the parameters are within the limit in their shortest encoding"

	// 1.31 compiles expressions of any cost. claimbridge does not: see decision 9.
	expensiveExpression = "the expression exceeds the cost limit of compilation"

	// An API server of a release removes the status of devices when they are deallocated. A custom resource keeps it,
	// so claimbridge accepts it.
	staleDevices = "the stored object has the status of devices that are not allocated"

	// A release accepts any type for a field that it does not have.
	unknownFieldType = "the release does not have the field, whose type is wrong"

	// Before an API server compares objects, it drops fields that its release does not have, or does not enable by
	// default. A custom resource would keep the field, and an immutable object would change.
	droppedField = "the release drops the changed field"

	// The CEL library of 1.32 estimates an infinite cost for the comparison of two values of unknown type, such as
	// dyn(1) == dyn(1). Later libraries, and claimbridge, do not.
	otherCostEstimate = "1.32 has another cost estimate of the expression"

	// A controller is stored as an entry of configuration, which would exceed the limit of 32 entries.
	controllerExceedsLimit = "the controller is the 33rd entry of configuration"

	// A template that an older version stored, and that exceeds a later limit, accepts labels and the removal of
	// finalizers. In the release, it cannot exist.
	storedExceedsLaterLimit = "the stored template exceeds a later limit"

	// Up to 1.30, the driver of an allocated claim can change, and with it the stored devices. In v1, an allocation is
	// immutable.
	immutableAllocation = "allocations are immutable in v1"

	// In v1beta1 and later, entries of claimbridge do not count against the limit of 64 for an allocation.
	preservedEntries = "entries of claimbridge.dev do not count"

	// Releases compare the bytes of opaque parameters, and claimbridge compares their decoded values. For custom
	// resources, this has the same result, because the API server encodes both objects.
	otherEncoding = "the parameters are equal, in another encoding"

	// In 1.37 and later, declarative validation reports some errors of v1beta1 at paths without exactly, and not at
	// those with it. claimbridge reports the latter.
	declarativePaths = "declarative validation reports the path without exactly"
)

// hasDeclarativeValidation reports whether a release also has declarative validation.
func hasDeclarativeValidation(release string) bool { return api.Minor(release) >= 37 }

// withoutExactly returns errors at the paths of v1beta1.
func withoutExactly(errors map[string]bool) map[string]bool {
	flat := map[string]bool{}
	for e := range errors {
		flat[strings.Replace(e, "].exactly.", "].", 1)] = true
	}
	return flat
}

// matchesWithOtherDriver reports whether the results are equal if the entries of claimbridge have another driver.
func matchesWithOtherDriver(t *testing.T, u *upstream, r validation.Request) bool {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		*object = bytes.ReplaceAll(*object, []byte(`"`+names.Domain+`"`), []byte(`"driver.example.com"`))
	}
	actual, err := validation.Validate(t.Context(), r)
	if err != nil {
		return false
	}
	got := map[string]bool{}
	for _, e := range actual.Errors {
		got[typeAndField(e)] = true
	}
	return maps.Equal(errorSet(u.ask(t, r)), got)
}

// isDecodable reports whether claimbridge can decode an object. A release ignores the type of a field that it does not
// have.
func isDecodable(object []byte) bool {
	_, err := conversion.Parse(object)
	return err == nil
}

// rewriteParameters returns a write whose parameters are encoded like those of an API server, or as short as possible,
// and reports whether it differs.
func rewriteParameters(t *testing.T, r validation.Request, escape bool) (_ validation.Request, changed bool) {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		encoded := sortedParameters(t, *object, escape)
		changed = changed || !bytes.Equal(encoded, *object)
		*object = encoded
	}
	return r, changed
}

// sortedParameters sorts the members of parameters and leaves all other bytes unchanged, because white space in the
// data of a driver counts against its limit.
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
			continue // not the name of a member
		}
		value := must.Get(from.ReadValue())(t)
		var parameters any
		if json.Unmarshal(value, &parameters) != nil {
			continue
		}
		var encoded bytes.Buffer
		encoder := json.NewEncoder(&encoded)
		encoder.SetEscapeHTML(escape)
		must.Do(t, encoder.Encode(parameters))
		end := int(from.InputOffset())
		out = append(append(out, object[written:end-len(value)]...), bytes.TrimSpace(encoded.Bytes())...)
		written = end
	}
}

// differOnlyInCost reports whether two sets of errors differ only in the expressions that exceed the cost limit.
func differOnlyInCost(want, got map[string]bool) bool {
	rest := func(of map[string]bool) map[string]bool {
		of = maps.Clone(of)
		maps.DeleteFunc(of, func(e string, _ bool) bool {
			return strings.HasPrefix(e, "Forbidden ") && strings.HasSuffix(e, ".cel.expression")
		})
		return of
	}
	return maps.Equal(rest(want), rest(got))
}

// missesOnlyStaleDevices reports whether the errors that claimbridge does not have are about devices that are not
// allocated, and there is at least one.
func missesOnlyStaleDevices(want, got map[string]bool) bool {
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

// isSubset reports whether a set of errors has all errors of another one.
func isSubset(some, all map[string]bool) bool {
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

// areFromClaimbridge reports whether all errors are from rules that only claimbridge has.
func areFromClaimbridge(errs []validation.Error) bool {
	return !slices.ContainsFunc(errs, func(e validation.Error) bool { return !claimbridgeRules[e.Rule] })
}

var claimbridgeRules = func() map[string]bool {
	own := map[string]bool{}
	for _, version := range conversion.Versions() {
		for _, r := range validation.Rules(version, "") { // those of claimbridge apply to every release
			if r.Source == "claimbridge" {
				own[r.Name] = true
			}
		}
	}
	return own
}()

// cannotBeStored reports whether upstream rejects the create of an object, or the write of its status.
func cannotBeStored(t *testing.T, u *upstream, object []byte) bool {
	t.Helper()
	accepts := func(r validation.Request) bool {
		a := u.ask(t, r)
		return len(a.contentErrors()) == 0 && a.Undecodable == "" && a.Panic == ""
	}
	if !accepts(validation.Request{Operation: validation.Create, Object: object}) {
		return true
	}
	if h, err := conversion.ReadHeader(object); err != nil || h.Kind != objects.Kinds[0] {
		return err != nil
	}
	return !accepts(validation.Request{Operation: validation.UpdateStatus, OldObject: object, Object: object})
}
