// Package explain knows the errors that people paste into a search box when a cluster and a client, a chart or a file speak
// different versions of resource.k8s.io. Knowledge is the table of rows.go; docs/errors.md is made of the same rows.
package explain

import (
	"cmp"
	"fmt"
	"os"
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

func (a Answer) String() string {
	said := fmt.Sprintf("%s\n\nCause:       %s\nReleases:    %s\nKubernetes:  %s\nCommand:     %s\n", a.Name, a.Cause, a.Releases, a.Native, a.Command)
	if a.Otherwise != "" {
		said += "Otherwise:   " + a.Otherwise + "\n"
	}
	if strings.Contains(a.Command+a.Otherwise, bridgeCommand) {
		said += "Image:       that of the release of claimbridge; --image names another, such as one that you built\n"
	}
	return said
}

// Text that somebody saw: the answer of the first row that knows it.
func Text(text string) (a Answer, known bool) {
	text = plain(text)
	for _, r := range Rows {
		if r.sure != "" && compiled(r.sure).MatchString(text) {
			r.Otherwise = ""
			return r.answer(read(text)), true
		}
	}
	for _, r := range Rows {
		if r.pattern != "" && compiled(r.pattern).MatchString(text) {
			return r.answer(read(text)), true
		}
	}
	return Answer{}, false
}

var patterns sync.Map // from the text of each to *regexp.Regexp

// compiled pattern, which is kept; no other command pays for those of rows.
func compiled(pattern string) *regexp.Regexp {
	known, is := patterns.Load(pattern)
	if !is {
		known, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return known.(*regexp.Regexp) //nolint:forcetypeassert // nothing else is stored
}

// unquoted takes away what logs, terminals, shells and web pages put around words: quotes of all kinds, escapes, frames.
var unquoted = strings.NewReplacer(`\n`, " ", `\t`, " ", `\`, "", `"`, "", "'", "", "`", "", "“", "", "”", "", "‘", "", "’", "", "│", "", "&quot;", "", "&#34;", "")

// spoken are fields as kubectl, Helm, an apply on the server and claimbridge name them, and how the API server does.
var spoken = []struct{ pattern, meant string }{
	{`ValidationError\((\w+)\.([\w.\[\]]+)\): unknown field (\w+) in io\.k8s\.api\.\w+\.(v\w+)(?:\.\w+)?`, "$1 in version $4: unknown field $2.$3"},
	{`\.(spec\.\S+): field not declared in schema`, "unknown field $1"},
	{`(spec\.\S+): is a field of .*, which (v\d\w*) does not have`, "in version $2: unknown field $1"},
}

// plain text in one line, without the > that mail and Markdown put before lines, which names fields as the API server does.
func plain(text string) string {
	if strings.Contains(text, ">") {
		text = compiled(`(?m)^[ \t]*(?:>[ \t]?)+`).ReplaceAllString(text, "")
	}
	text = strings.Join(strings.Fields(unquoted.Replace(text)), " ")
	if strings.Contains(text, "field") {
		for _, s := range spoken {
			text = compiled(s.pattern).ReplaceAllString(text, s.meant)
		}
	}
	return text
}

// facts of a text, by the names that rows have for them: what they say of it is made of letters, digits and the signs of paths.
type facts map[string]string

const (
	kinds     = `(?:ResourceClaimTemplate|ResourceClaim|ResourceSlice|DeviceClass|` + goneKinds + `)`
	goneKinds = `(?:ResourceClassParameters|ResourceClass|ResourceClaimParameters|PodSchedulingContext)`
	resources = `(?:resourceclaims|resourceclaimtemplates|resourceslices|deviceclasses|resourceclasses|podschedulingcontexts)`
	singular  = `(?:resourceclaim|resourceclaimtemplate|resourceslice|deviceclass|resourceclass|podschedulingcontext)`
)

// where a plain text has facts, the surest first.
var where = []struct{ name, pattern string }{
	{"version", `in version (?:resource\.k8s\.io/)?(v\d\w*)`},
	{"version", `could not find version (v\d\w*) of resource\.k8s\.io`},
	{"version", `\*(v\d\w*)\.` + kinds},
	{"version", `resource\.k8s\.io/(v\d\w*)`},
	{"version", `k8s\.io/api/resource/(v\d\w*)\.`},
	{"installed", `Version (v\d\w*) of resource\.k8s\.io/\w+ is installed`},
	{"kind", `\b(` + kinds + `)\b`},
	{"field", `unknown field ([\w.\[\]]+)`},
	{"field", `(spec[\w.\[\]]+): `},
	{"resource", `\b(` + resources + `)\b`},
	{"verb", `cannot (\w+) resource `},
	{"user", `User ([\w:.@/-]+)(?: |$)`},
	{"class", `device class ([\w.-]+)`},
	{"driver", `DRA driver ([\w.-]+)`},
}

func read(text string) facts {
	f := facts{}
	for _, w := range where {
		if f[w.name] != "" {
			continue
		}
		if m := compiled(w.pattern).FindStringSubmatch(text); m != nil {
			f[w.name] = m[1]
		}
	}
	return f
}

// defaults are how rows speak of what a text does not say; a row may assume another version.
var defaults = facts{
	"version": "another version", "verb": "list", "kind": "the object", "field": "the field", "user": "ACCOUNT", "class": "CLASS", "driver": "DRIVER",
	"resource": "resourceclaims,resourceclaimtemplates,resourceslices,deviceclasses", "release": api.Stored().Release,
}

func (r Row) answer(f facts) Answer {
	f["version"] = cmp.Or(f["version"], r.assumed)
	said := func(name string) string { return cmp.Or(f[name], defaults[name]) }
	for _, text := range []*string{&r.Cause, &r.Native, &r.Command, &r.Otherwise} {
		*text = os.Expand(*text, said)
	}
	return Answer{r, Releases(f["version"])}
}

// Releases say which release of Kubernetes serves a version, and which the newest; where the version is not known, those that are not gone.
func Releases(version string) string {
	var said []string
	_, known := api.Find(version)
	for _, v := range api.Versions() {
		if v.Stored || v.Name == version || !known && strings.Contains(v.Name, "beta") {
			said = append(said, told(v))
		}
	}
	return strings.Join(said, "; ") + "."
}

func told(v api.Version) string {
	said := v.Name + ": since Kubernetes " + v.Since
	if !v.Stored {
		said += " where --runtime-config switches it on"
	}
	if v.Gone != "" {
		said += ", gone with " + v.Gone
	}
	return said
}
