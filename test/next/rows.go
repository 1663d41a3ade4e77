package main

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/oracle"
)

// none means that a change has no row of claimbridge.
const none = "**none**"

// rowOf ours that says the same of a release as a fact does that has changed.
func rowOf(key, now, release string) string {
	what, of, _ := strings.Cut(key, " ")
	switch what {
	case "end": // "of v1beta1"
		_, version, _ := strings.Cut(of, " ")
		if v, _ := api.Find(version); v.RemovedIn == now {
			return "`api/versions.go`"
		}
	case "field", "tags", "check":
		words := strings.FieldsFunc(of, func(r rune) bool { return r == ' ' || r == '.' })
		name := words[len(words)-1]
		isOfRelease := func(f api.Field) bool { return f.Since == release }
		all := api.Fields()
		switch {
		case slices.ContainsFunc(all, func(f api.Field) bool {
			return isOfRelease(f) && strings.HasSuffix(f.Path, "."+name)
		}):
			return "`api/fields.go`"
		case what != "field" && slices.ContainsFunc(all, isOfRelease), what == "field" &&
			isOfNewType(words, all, release):
			return "beside fields of `api/fields.go`; rules: `docs/upstream-rules.md`"
		case what != "field":
			return validated(release)
		}
	case "gate":
		is := slices.ContainsFunc(api.Fields(), func(f api.Field) bool {
			return f.Gate == of && isOff(f, release) == strings.HasPrefix(now, "off")
		})
		switch {
		case is:
			return "`api/fields.go`"
		case !slices.ContainsFunc(api.Fields(), func(f api.Field) bool { return f.Gate == of }):
			return "no field of claims"
		}
	case "function", "format", "expression", "module", "constant":
		return validated(release)
	}
	return none
}

// validated says that a release's own code is what its rules are held against. Nothing has to be said of a single
// function then, which might no longer be true of a later pre-release.
func validated(release string) string {
	if _, found := oracle.Find(release); found {
		return "rules: the validator"
	}
	return none
}

func isOff(f api.Field, release string) bool {
	return f.OffSince != "" && api.Minor(release) >= api.Minor(f.OffSince) && (f.OnSince == "" ||
		api.Minor(release) < api.Minor(f.OnSince))
}

// isOfNewType reports whether a field is of a type that came with a field of the release, whose
// name says so: DeviceDerivedAttribute of derivedAttributes.
func isOfNewType(words []string, all []api.Field, release string) bool {
	return slices.ContainsFunc(all, func(f api.Field) bool {
		name := f.Path[strings.LastIndex(f.Path, ".")+1:]
		return f.Since == release && strings.HasSuffix(strings.ToLower(words[1])+"s", strings.ToLower(name))
	})
}
