package migrate

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// A text that is not edited is searched: a template, a text that cannot be read, a manifest or a patch in a string.

// mention is a version or a field in a text that needs a manual change.
type mention struct {
	offset  int // in the text
	line    int // of the text, from 0
	version string
	field   string // that moved, if there is no version
	reason  string // why the field needs a change
}

// String returns the text of a finding about a line.
func (m mention) String() string {
	if m.version != "" {
		return "names " + m.version + " of " + api.Group
	}
	return m.field + " " + m.reason
}

// patchPathPattern matches an operation of a JSON patch in a text, in YAML or JSON, and objectVersionPattern an object.
var (
	patchPathPattern     = regexp.MustCompile(inTextLine + `["']?(?:path|from)["']?\s*:\s*["']?(/[^\s"',}]+)`)
	objectVersionPattern = regexp.MustCompile(inTextLine + `["']?apiVersion["']?\s*:\s*["']?resource\.k8s\.io/(v\w+)`)
)

// inTextLine matches the text that may precede a name in a line.
const inTextLine = `(?m)^[\s\-{\[]*(?:.*[,{]\s*)?`

// deviceRequestsPattern matches the requests of a claim, or a path to them. Lines of a template may be between its
// lines.
var deviceRequestsPattern = regexp.MustCompile(`\b(devices)(?:["']?\s*:(?:\s|\{\{[^}]*\}\})*\{?` +
	`\s*["']?requests["']?\s*:|/requests/)`)

// movedFieldPatterns match fields in a text that show that it is for another version.
var movedFieldPatterns = []struct {
	applies  func(to string) bool // reports whether the field has moved in a version
	pattern  *regexp.Regexp       // of the field, which is the first group
	unless   *regexp.Regexp       // matches texts that are for the version, or for several versions
	inClaims bool                 // applies only to texts with requests for devices
	more     *regexp.Regexp       // fields that moved as well; their names also occur in other objects
	why      string
}{
	{
		applies: api.HasDevices,
		pattern: regexp.MustCompile(`\b(resourceClassName)["']?\s*:`),
		why:     "was removed in v1alpha3",
	},
	{
		applies: api.HasDevices,
		pattern: regexp.MustCompile(`\b(source)["']?\s*:\s*\{?\s*["']?resourceClaim(?:Template)?Name\b`),
		why:     "of a pod's claim was removed in Kubernetes 1.31: its fields are next to the name",
	},
	{
		applies:  api.HasExactly,
		pattern:  namesOf(func(name string) bool { return isInExactly(name) && !slices.Contains(inOtherObjects, name) }),
		unless:   regexp.MustCompile(`\bexactly\b|\bfirstAvailable\b`),
		inClaims: true,
		more:     namesOf(func(name string) bool { return isInExactly(name) && slices.Contains(inOtherObjects, name) }),
		why:      "is in `exactly` since " + firstWithExactly,
	},
	{
		applies:  func(to string) bool { return !api.HasExactly(to) },
		pattern:  regexp.MustCompile(`\b(exactly)["']?\s*:`),
		inClaims: true,
		why:      "was added in " + firstWithExactly,
	},
	{
		applies: func(to string) bool { return !api.HasDevices(to) },
		pattern: deviceRequestsPattern,
		why:     "was added in v1alpha3",
	},
}

// inOtherObjects are names of fields of requests that other objects have as well.
var inOtherObjects = []string{"selectors", "count", "tolerations", "capacity"}

// namesOf returns a pattern of the names of those fields of requests for which matches returns true.
func namesOf(matches func(name string) bool) *regexp.Regexp {
	var names []string
	for _, field := range api.RequestFields() {
		if matches(field.Name) {
			names = append(names, field.Name)
		}
	}
	return regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)["']?\s*:`)
}

// movedFieldsAndVersionsIn returns the versions, the moved fields and the paths of moved fields in a text, one mention
// for each line. Comments are ignored.
func (c *Converter) movedFieldsAndVersionsIn(text []byte, versions func(text []byte) []mention) []mention {
	content := withoutComments(text)
	found := slices.Concat(versions(content), c.movedPathsIn(content))
	for _, moved := range movedFieldPatterns {
		lacksRequests := moved.inClaims && !deviceRequestsPattern.Match(content)
		isForTarget := moved.unless != nil && moved.unless.Match(content)
		if !moved.applies(c.version) || lacksRequests || isForTarget {
			continue
		}
		fields := moved.pattern.FindAllSubmatchIndex(content, -1)
		if len(fields) > 0 && moved.more != nil {
			fields = append(fields, moved.more.FindAllSubmatchIndex(content, -1)...)
		}
		for _, m := range fields {
			found = append(found, mention{offset: m[2], field: string(content[m[2]:m[3]]), reason: moved.why})
		}
	}
	return onePerLine(content, found)
}

// patchPathsAndVersionsIn returns the versions and the paths of moved fields in a text, one mention for each line.
// Comments are ignored.
func (c *Converter) patchPathsAndVersionsIn(text []byte, versions func(text []byte) []mention) []mention {
	content := withoutComments(text)
	return onePerLine(content, slices.Concat(versions(content), c.movedPathsIn(content)))
}

// movedPathsIn returns the paths of JSON patches in a text that name a moved field.
func (c *Converter) movedPathsIn(text []byte) (found []mention) {
	for _, m := range patchPathPattern.FindAllSubmatchIndex(text, -1) {
		path := string(text[m[2]:m[3]])
		if why := movedReason(strings.Split(path, "/"), c.version); why != "" {
			found = append(found, mention{offset: m[2], field: path, reason: why})
		}
	}
	return found
}

// withoutComments replaces comments by their line ends.
func withoutComments(text []byte) []byte {
	return commentPattern.ReplaceAllFunc(text, func(c []byte) []byte {
		return bytes.Repeat([]byte("\n"), bytes.Count(c, []byte("\n")))
	})
}

// onePerLine sorts the mentions in a text, sets their lines, and keeps the first of each line.
func onePerLine(text []byte, found []mention) []mention {
	slices.SortStableFunc(found, func(a, b mention) int { return cmp.Compare(a.offset, b.offset) })
	return slices.CompactFunc(withLines(text, found), func(a, b mention) bool { return a.line == b.line })
}

// withLines sets the lines of mentions in the order of the text. The text is read once.
func withLines(text []byte, found []mention) []mention {
	line, previous := 0, 0
	for i, m := range found {
		line += bytes.Count(text[previous:m.offset], []byte("\n"))
		previous = m.offset
		found[i].line = line
	}
	return found
}

// admissionRulePattern matches the rules of a webhook or policy, with the versions of resource.k8s.io that they match,
// or all of them.
var (
	admissionRulePattern = regexp.MustCompile(`\bapiGroups["']?\s*:\s*[-\["'\s]*resource\.k8s\.io["']?\s*\]?\s*` +
		`apiVersions["']?\s*:\s*((?:[-\s\[\],"'*]|v1(?:(?:alpha|beta)\d+)?\b)+)`)
	ruleVersionPattern = regexp.MustCompile(`v1(?:(?:alpha|beta)\d+)?|\*`)
)

// conditionPattern matches a condition of a template: a version in it is only compared.
var conditionPattern = regexp.MustCompile(`\{\{-?\s*(?:else\s+)?if\b[^}]*\}\}`)

// namedVersionPattern matches an apiVersion or a runtime-config, and a resource as kubectl names it.
var namedVersionPattern = regexp.MustCompile(`\bresource\.k8s\.io/(v\w+)|\b\w+\.(v\w+)\.resource\.k8s\.io\b`)

// versionsIn returns the versions of resource.k8s.io that a text names.
func versionsIn(text []byte) (all []mention) {
	for _, m := range namedVersionPattern.FindAllSubmatchIndex(text, -1) {
		version := string(text[max(m[2], m[4]):max(m[3], m[5])])
		if _, isKnown := api.Find(version); isKnown {
			all = append(all, mention{offset: m[0], version: version})
		}
	}
	return all
}

// templateVersionsIn returns the versions that a template names. It returns none if the template also names the target
// version: then it selects one of them.
func (c *Converter) templateVersionsIn(text []byte) []mention {
	all := versionsIn(text)
	for _, m := range admissionRulePattern.FindAllSubmatchIndex(text, -1) {
		for _, v := range ruleVersionPattern.FindAllString(string(text[m[2]:m[3]]), -1) {
			all = append(all, mention{offset: m[2], version: cmp.Or(strings.Trim(v, "*"), c.version)})
		}
	}
	if slices.ContainsFunc(all, func(m mention) bool { return m.version == c.version }) {
		return nil
	}
	conditions := conditionPattern.FindAllIndex(text, -1)
	return slices.DeleteFunc(all, func(m mention) bool {
		return slices.ContainsFunc(conditions, func(in []int) bool { return in[0] <= m.offset && m.offset < in[1] })
	})
}

// objectVersionsIn returns the other versions of objects in a text.
func (c *Converter) objectVersionsIn(text []byte) (others []mention) {
	for _, m := range objectVersionPattern.FindAllSubmatchIndex(text, -1) {
		if version := string(text[m[2]:m[3]]); c.isOtherKnownVersion(version) {
			others = append(others, mention{offset: m[2], version: version})
		}
	}
	return others
}

// commentPattern matches a comment in YAML, or in a Go template.
var commentPattern = regexp.MustCompile(`(?m)^[ \t]*#.*$|\{\{-?\s*/\*(?s:.*?)\*/\s*-?\}\}`)
