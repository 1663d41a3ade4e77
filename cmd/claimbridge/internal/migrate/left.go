package migrate

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claimbridge/claimbridge/api"
)

// pathOf a step of a JSON patch that stands in a text, in YAML or JSON; versionOf an object that does.
var (
	pathOf    = regexp.MustCompile(inTextLine + `["']?(?:path|from)["']?\s*:\s*["']?(/[^\s"',}]+)`)
	versionOf = regexp.MustCompile(inTextLine + `["']?apiVersion["']?\s*:\s*["']?resource\.k8s\.io/(v\w+)`)
)

// inTextLine is what may stand before a name in a line.
const inTextLine = `(?m)^[\s\-{\[]*(?:.*[,{]\s*)?`

// asksForDevices tells texts with the requests of a claim, or a path to them. Between its lines may
// stand those of a template.
var asksForDevices = regexp.MustCompile(`\b(devices)(?:["']?\s*:(?:\s|\{\{[^}]*\}\})*\{?` +
	`\s*["']?requests["']?\s*:|/requests/)`)

// signs of objects of other versions, wherever they stand in a text.
var signs = []struct {
	in     func(to string) bool // versions in which it is one
	look   *regexp.Regexp       // with the field in a group
	unless *regexp.Regexp       // the text was written for the version, or for several
	asks   bool                 // only where claims ask for devices
	more   *regexp.Regexp       // fields that others have as well, and that moved with it
	why    string
}{
	{in: api.HasDevices, look: regexp.MustCompile(`\b(resourceClassName)["']?\s*:`), why: "is gone from v1alpha3 on"},
	{
		in: api.HasDevices, look: regexp.MustCompile(`\b(source)["']?\s*:\s*\{?\s*["']?resourceClaim(?:Template)?Name\b`),
		why: "of a pod's claim was removed in Kubernetes 1.31: its fields are next to the name",
	},
	{
		in:     api.HasExactly,
		look:   namesOf(func(name string) bool { return isInExactly(name) && !slices.Contains(inOtherObjects, name) }),
		unless: regexp.MustCompile(`\bexactly\b|\bfirstAvailable\b`),
		asks:   true,
		more:   namesOf(func(name string) bool { return isInExactly(name) && slices.Contains(inOtherObjects, name) }),
		why:    "is in exactly since " + firstExactly,
	},
	{
		in:   func(to string) bool { return !api.HasExactly(to) },
		look: regexp.MustCompile(`\b(exactly)["']?\s*:`),
		asks: true,
		why:  "came with " + firstExactly,
	},
	{in: func(to string) bool { return !api.HasDevices(to) }, look: asksForDevices, why: "came with v1alpha3"},
}

// inOtherObjects are names of fields of requests that other objects have as well.
var inOtherObjects = []string{"selectors", "count", "tolerations", "capacity"}

// namesOf matches the names of some fields of requests in a text.
func namesOf(isOne func(name string) bool) *regexp.Regexp {
	var names []string
	for _, field := range api.RequestFields() {
		if isOne(field.Name) {
			names = append(names, field.Name)
		}
	}
	return regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)["']?\s*:`)
}

// leftIn returns what is left to change in a text, one finding for each line. Comments are ignored.
func (c *converter) leftIn(text []byte, named func(text []byte) []left) []left {
	content := withoutComments(text)
	found := slices.Concat(named(content), c.movedPathsIn(content))
	for _, s := range signs {
		if !s.in(c.to) || s.asks && !asksForDevices.Match(content) || s.unless != nil && s.unless.Match(content) {
			continue
		}
		fields := s.look.FindAllSubmatchIndex(content, -1)
		if len(fields) > 0 && s.more != nil {
			fields = append(fields, s.more.FindAllSubmatchIndex(content, -1)...)
		}
		for _, m := range fields {
			found = append(found, left{at: m[2], field: string(content[m[2]:m[3]]), why: s.why})
		}
	}
	return onePerLine(content, found)
}

// namedIn returns the versions and the paths of moved fields that a text names, one for each line.
// Comments are ignored.
func (c *converter) namedIn(text []byte, named func(text []byte) []left) []left {
	content := withoutComments(text)
	return onePerLine(content, slices.Concat(named(content), c.movedPathsIn(content)))
}

// movedPathsIn returns the paths of JSON patches in a text that name a moved field.
func (c *converter) movedPathsIn(text []byte) (found []left) {
	for _, m := range pathOf.FindAllSubmatchIndex(text, -1) {
		path := string(text[m[2]:m[3]])
		if why := movedPath(strings.Split(path, "/"), c.to); why != "" {
			found = append(found, left{at: m[2], field: path, why: why})
		}
	}
	return found
}

// withoutComments replaces comments by their line ends.
func withoutComments(text []byte) []byte {
	return comment.ReplaceAllFunc(text, func(c []byte) []byte {
		return bytes.Repeat([]byte("\n"), bytes.Count(c, []byte("\n")))
	})
}

// onePerLine sorts what was found in a text, sets its line and column, and keeps the first of each line.
func onePerLine(text []byte, found []left) []left {
	slices.SortStableFunc(found, func(a, b left) int { return cmp.Compare(a.at, b.at) })
	return slices.CompactFunc(placed(text, found), func(a, b left) bool { return a.line == b.line })
}

// placed is what was found in a text, in its order, with lines and columns. A line may be as long
// as the text, so it is read once.
func placed(text []byte, found []left) []left {
	line, column, at := 0, 0, 0
	for i, l := range found {
		between := text[at:l.at]
		if end := bytes.LastIndexByte(between, '\n'); end >= 0 {
			line, column, between = line+bytes.Count(between[:end+1], []byte("\n")), 0, between[end+1:]
		}
		column, at = column+utf8.RuneCount(between), l.at
		found[i].line, found[i].column = line, column
	}
	return found
}

// rules of a webhook or policy, with the versions of resource.k8s.io that they match, or all of them.
var (
	rules = regexp.MustCompile(`\bapiGroups["']?\s*:\s*[-\["'\s]*resource\.k8s\.io["']?\s*\]?\s*` +
		`apiVersions["']?\s*:\s*((?:[-\s\[\],"'*]|v1(?:(?:alpha|beta)\d+)?\b)+)`)
	version = regexp.MustCompile(`v1(?:(?:alpha|beta)\d+)?|\*`)
)

// condition of a template: what it compares with is no version of anything.
var condition = regexp.MustCompile(`\{\{-?\s*(?:else\s+)?if\b[^}]*\}\}`)

// namesVersion matches an apiVersion or a runtime-config, and a resource as kubectl names it.
var namesVersion = regexp.MustCompile(`\bresource\.k8s\.io/(v\w+)|\b\w+\.(v\w+)\.resource\.k8s\.io\b`)

// versionsIn returns the versions of resource.k8s.io that a text names.
func versionsIn(text []byte) (all []left) {
	for _, m := range namesVersion.FindAllSubmatchIndex(text, -1) {
		version := string(text[max(m[2], m[4]):max(m[3], m[5])])
		if _, known := api.Find(version); known {
			all = append(all, left{at: m[0], version: version})
		}
	}
	return all
}

// chosen are the versions that a template names, none where it names the wanted one as well: it chooses between them.
func (c *converter) chosen(text []byte) []left {
	all := versionsIn(text)
	for _, m := range rules.FindAllSubmatchIndex(text, -1) {
		for _, v := range version.FindAllString(string(text[m[2]:m[3]]), -1) {
			all = append(all, left{at: m[2], version: cmp.Or(strings.Trim(v, "*"), c.to)})
		}
	}
	if slices.ContainsFunc(all, func(m left) bool { return m.version == c.to }) {
		return nil
	}
	asked := condition.FindAllIndex(text, -1)
	return slices.DeleteFunc(all, func(m left) bool {
		return slices.ContainsFunc(asked, func(in []int) bool { return in[0] <= m.at && m.at < in[1] })
	})
}

// ofObjects are the versions of objects whose texts stand in another one.
func (c *converter) ofObjects(text []byte) (others []left) {
	for _, m := range versionOf.FindAllSubmatchIndex(text, -1) {
		if version := string(text[m[2]:m[3]]); c.isOther(version) {
			others = append(others, left{at: m[2], version: version})
		}
	}
	return others
}

// comment of YAML, or of a template of Go.
var comment = regexp.MustCompile(`(?m)^[ \t]*#.*$|\{\{-?\s*/\*(?s:.*?)\*/\s*-?\}\}`)
