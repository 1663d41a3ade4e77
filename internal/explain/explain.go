// Package explain knows the errors that people paste into a search box when a cluster and a client, a chart or a file speak
// different versions of resource.k8s.io. Knowledge is the table of rows.go; docs/errors.md is made of the same rows.
package explain

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/claimbridge/claimbridge/api"
)

// Answer to a text.
type Answer struct {
	Row
	// Releases say which release serves what.
	Releases string
}

// Text that somebody saw: the answer of the first row that knows it.
func Text(text string) (a Answer, known bool) {
	text = strings.Join(strings.Fields(text), " ") // a terminal may have wrapped it
	for i, pattern := range patterns() {
		if !pattern.MatchString(text) {
			continue
		}
		if facts := read(text); Rows[i].of(facts["version"]) {
			return Rows[i].answer(facts), true
		}
	}
	return Answer{}, false
}

// patterns of the rows; no other command pays for them.
var patterns = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, r := range Rows {
		all = append(all, regexp.MustCompile(r.pattern))
	}
	return all
})

// facts of a text, by the names that rows have for them: what they say of it is made of letters, digits and the signs of paths.
type facts map[string]string

const kinds = `(?:ResourceClaimTemplate|ResourceClaim|ResourceSlice|DeviceClass|ResourceClass|PodSchedulingContext)`

// where a text has facts, the surest first. Logs escape quotes.
var where = []struct{ name, pattern string }{
	{"version", `in version \\?"(?:resource\.k8s\.io/)?(v\d\w*)\\?"`},
	{"version", `could not find version \\?"(v\d\w*)\\?" of resource\.k8s\.io`},
	{"version", `\*(v\d\w*)\.` + kinds},
	{"version", `resource\.k8s\.io/(v\d\w*)`},
	{"kind", `\b(` + kinds + `)\b`},
	{"field", `unknown field \\?"([\w.\[\]]+)\\?"`},
	{"field", `(spec[\w.\[\]]+): `},
	{"resource", `\b(resourceclaims|resourceclaimtemplates|resourceslices|deviceclasses)\b`},
	{"user", `User \\?"([\w:.@/-]+)\\?"`},
}

func read(text string) facts {
	f := facts{}
	for _, w := range where {
		if m := regexp.MustCompile(w.pattern).FindStringSubmatch(text); m != nil && f[w.name] == "" {
			f[w.name] = m[1]
		}
	}
	return f
}

// Defaults are how rows speak of what a text does not say.
var defaults = facts{
	"version": "that version", "kind": "an object", "field": "the field", "resource": "resourceclaims,resourceclaimtemplates,resourceslices,deviceclasses",
	"user": "ACCOUNT",
}

// blank is what a row leaves to the text that is explained.
var blank = regexp.MustCompile(`\$\{\w+\}`)

func (r Row) answer(f facts) Answer {
	fill := func(text string) string {
		return blank.ReplaceAllStringFunc(text, func(name string) string {
			name = name[len("${") : len(name)-len("}")]
			return cmp.Or(f[name], defaults[name])
		})
	}
	r.Cause, r.Native, r.Command = fill(r.Cause), fill(r.Native), fill(r.Command)
	return Answer{r, Releases(f["version"])}
}

// Releases say which release of Kubernetes serves a version, and which the newest; where the version is not known, those that are not gone.
func Releases(version string) string {
	var said []string
	for _, v := range api.Versions() {
		isNewest := v.Name == api.Stored().Name
		if !isNewest && v.Name != version && (isKnown(version) || !strings.Contains(v.Name, "beta")) {
			continue
		}
		text := v.Name + ": since Kubernetes " + v.Since
		if !isNewest {
			text += " where --runtime-config switches it on, gone with " + v.Gone
		}
		said = append(said, text)
	}
	return strings.Join(said, "; ") + "."
}

func isKnown(version string) bool {
	_, known := api.Find(version)
	return known
}
