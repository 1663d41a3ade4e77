// Package explain knows the errors that people paste into a search box when a cluster and a client, a chart or a file speak
// different versions of resource.k8s.io. Knowledge is the table of rows.go; docs/errors.md is made of the same rows.
package explain

import (
	"cmp"
	"fmt"
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
	return said
}

// Text that somebody saw: the answer of the first row that knows it.
func Text(text string) (a Answer, known bool) {
	text = plain(text)
	for i, pattern := range compiled().rows {
		if pattern.MatchString(text) {
			return Rows[i].answer(read(text)), true
		}
	}
	return Answer{}, false
}

// unquoted takes away what logs, terminals, shells and web pages put around words: quotes of all kinds, escapes, frames.
var unquoted = strings.NewReplacer(`\n`, " ", `\t`, " ", `\`, "", `"`, "", "'", "", "`", "", "“", "", "”", "", "‘", "", "’", "", "│", "", "&quot;", "", "&#34;", "")

// plain text in one line. What kubectl and Helm say of a field by its schema is written as the API server does.
func plain(text string) string {
	text = strings.Join(strings.Fields(unquoted.Replace(text)), " ")
	return compiled().schema.ReplaceAllString(text, "$1 in version $4: unknown field $2.$3")
}

type patterns struct {
	rows   []*regexp.Regexp
	facts  []fact
	schema *regexp.Regexp
}

// compiled patterns; no other command pays for them.
var compiled = sync.OnceValue(func() (p patterns) {
	for _, r := range Rows {
		p.rows = append(p.rows, regexp.MustCompile(r.pattern))
	}
	for _, w := range where {
		p.facts = append(p.facts, fact{w.name, regexp.MustCompile(w.pattern)})
	}
	p.schema = regexp.MustCompile(`ValidationError\((\w+)\.([\w.\[\]]+)\): unknown field (\w+) in io\.k8s\.api\.\w+\.(v\w+)`)
	return p
})

type fact struct {
	name    string
	pattern *regexp.Regexp
}

// facts of a text, by the names that rows have for them: what they say of it is made of letters, digits and the signs of paths.
type facts map[string]string

const (
	kinds     = `(?:ResourceClaimTemplate|ResourceClaim|ResourceSlice|DeviceClass|` + goneKinds + `)`
	goneKinds = `(?:ResourceClassParameters|ResourceClass|ResourceClaimParameters|PodSchedulingContext)`
	resources = `(?:resourceclaims|resourceclaimtemplates|resourceslices|deviceclasses|resourceclasses|podschedulingcontexts)`
)

// where a plain text has facts, the surest first.
var where = []struct{ name, pattern string }{
	{"version", `in version (?:resource\.k8s\.io/)?(v\d\w*)`},
	{"version", `could not find version (v\d\w*) of resource\.k8s\.io`},
	{"version", `\*(v\d\w*)\.` + kinds},
	{"version", `resource\.k8s\.io/(v\d\w*)`},
	{"installed", `Version (v\d\w*) of resource\.k8s\.io/\w+ is installed`},
	{"kind", `\b(` + kinds + `)\b`},
	{"field", `unknown field ([\w.\[\]]+)`},
	{"field", `(spec[\w.\[\]]+): `},
	{"resource", `\b(` + resources + `)\b`},
	{"user", `User ([\w:.@/-]+)(?: |$)`},
	{"class", `device class ([\w.-]+)`},
	{"driver", `DRA driver ([\w.-]+)`},
}

func read(text string) facts {
	f := facts{}
	for _, fact := range compiled().facts {
		if m := fact.pattern.FindStringSubmatch(text); m != nil && f[fact.name] == "" {
			f[fact.name] = m[1]
		}
	}
	return f
}

// defaults are how rows speak of what a text does not say; a row may assume another version.
var defaults = facts{
	"version": "another version", "kind": "the object", "field": "the field", "user": "ACCOUNT", "class": "CLASS", "driver": "DRIVER",
	"resource": "resourceclaims,resourceclaimtemplates,resourceslices,deviceclasses", "release": api.Stored().Release,
}

// blank is what a row leaves to the text that is explained.
var blank = regexp.MustCompile(`\$\{\w+\}`)

func (r Row) answer(f facts) Answer {
	fill := func(text string) string {
		return blank.ReplaceAllStringFunc(text, func(name string) string {
			if name = name[len("${") : len(name)-len("}")]; name == "version" {
				return cmp.Or(f[name], r.assumed, defaults[name])
			}
			return cmp.Or(f[name], defaults[name])
		})
	}
	r.Cause, r.Native, r.Command, r.Otherwise = fill(r.Cause), fill(r.Native), fill(r.Command), fill(r.Otherwise)
	return Answer{r, Releases(cmp.Or(f["version"], r.assumed))}
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
	if v.Stored {
		return v.Name + ": since Kubernetes " + v.Since
	}
	return v.Name + ": since Kubernetes " + v.Since + " where --runtime-config switches it on, gone with " + v.Gone
}
