package lens

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// metadataUp is what metadata says of versions: an owner in an old version, whom the garbage
// collector could not find when nobody serves it any more, and who changed what in which version.
// The latter only of v1beta1, v1beta2 and v1, whose fields are the same as far as an entry names
// them: what has moved is in lists that are changed as a whole. Entries of older versions stay, and
// an API server forgets them, as it does all entries in versions that it does not serve.
func metadataUp(served string) edit {
	native := slices.DeleteFunc(conversion.Versions(), func(version string) bool { return !api.IsNative(version) })
	return within(map[string]edit{
		"ownerReferences": each(func(r *rewriter) {
			value := r.s.Value()
			if slices.Contains(Kinds(native[0]), kjson.StringOf(partGet(value, "kind"))) {
				value = inServed(value, served, conversion.Versions())
			}
			r.out = append(r.out, value...)
		}),
		"managedFields": each(func(r *rewriter) { r.out = append(r.out, inServed(r.s.Value(), served, native)...) }),
	})
}

func partGet(value []byte, name string) []byte {
	m := kjson.ListMembers(value)
	return m.Get(name)
}

// inServed is an object whose apiVersion, if it is one of these of the group, is the served one.
func inServed(value []byte, served string, versions []string) []byte {
	if !kjson.Begins(value, '{') {
		return value
	}
	group, version, ok := strings.Cut(kjson.StringOf(partGet(value, "apiVersion")), "/")
	if !ok || group != api.Group || !slices.Contains(versions, version) {
		return value
	}
	quoted := kjson.Quote(served)
	out, err := rewrite(nil, value, map[string]edit{"apiVersion": func(r *rewriter) bool {
		r.s.Skip()
		r.out = append(r.out, quoted...)
		return true
	}})
	if err != nil { // it was read before
		return value
	}
	return out
}
