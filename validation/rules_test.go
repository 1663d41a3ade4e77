package validation

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Examples are in examples/<rule>/ok-*.yaml and bad-*.yaml. A file begins with comments: first the
// reason in words, then
//
//	# operation: create, update or status
//	# release: 1.37            where it is not the default of the version
//	# expect: <Type> <path>     once for each error of a bad file, as in: Forbidden status.reservedFor
//	# along with: <rule>: <Type> <path>     where nothing can break this rule without breaking another one
//
// then comes the object; for update and status the old object, then the new one.
type example struct {
	request Request
	version string
	expect  []string // "<Type> <path>"
	along   []string // "<rule>: <Type> <path>"
}

var operationNames = map[string]Operation{"create": Create, "update": Update, "status": UpdateStatus}

func readExample(file string) (example, error) {
	var e example
	data, err := os.ReadFile(file)
	if err != nil {
		return e, err
	}
	for line := range strings.Lines(string(data)) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			break
		}
		if name, ok := strings.CutPrefix(comment, "operation: "); ok {
			e.request.Operation = operationNames[name]
		}
		if release, ok := strings.CutPrefix(comment, "release: "); ok {
			e.request.Release = release
		}
		if expected, ok := strings.CutPrefix(comment, "expect: "); ok {
			e.expect = append(e.expect, expected)
		}
		if other, ok := strings.CutPrefix(comment, "along with: "); ok {
			e.along = append(e.along, other)
		}
	}
	if e.request.Operation == "" {
		return e, fmt.Errorf("%s names no operation", file)
	}
	var objects [][]byte
	for _, document := range bytes.Split(data, []byte("\n---\n")) {
		object, err := yaml.YAMLToJSON(document)
		if err != nil {
			return e, fmt.Errorf("%s: %w", file, err)
		}
		objects = append(objects, object)
	}
	switch want := map[bool]int{true: 1, false: 2}[e.request.Operation == Create]; {
	case len(objects) != want:
		return e, fmt.Errorf("%s has %d documents, %s wants %d", file, len(objects), e.request.Operation, want)
	case want == 1:
		e.request.Object = objects[0]
	default:
		e.request.OldObject, e.request.Object = objects[0], objects[1]
	}
	header, err := conversion.ReadHeader(e.request.Object)
	e.version = header.Version
	return e, err
}

func examples(t testing.TB, pattern string) map[string]example {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("examples", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples match %s: %v", pattern, err)
	}
	found := map[string]example{}
	for _, file := range files {
		e := must.Get(readExample(file))(t)
		found[file] = e
	}
	inOtherVersions(found)
	return found
}

// inOtherVersions copies bad examples of the stored version to versions with the same types that have no example of the
// rule. It skips a version that the release of the example does not serve.
func inOtherVersions(found map[string]example) {
	ruleOf := filepath.Dir
	has := map[string]bool{}
	for file, e := range found {
		has[ruleOf(file)+e.version] = true
	}
	stored := conversion.Stored()
	for file, e := range maps.Clone(found) {
		for _, v := range api.Versions() {
			isServed := e.request.Release == "" || slices.Contains(Releases(v.Name), e.request.Release)
			if !isServed || specOf(v.Name) != specOf(stored) || e.version != stored || has[ruleOf(file)+v.Name] ||
				strings.HasPrefix(filepath.Base(file), "ok-") {
				continue
			}
			other := e
			for _, object := range []*[]byte{&other.request.Object, &other.request.OldObject} {
				*object = bytes.ReplaceAll(*object, []byte(`"`+api.Group+"/"+stored+`"`),
					[]byte(`"`+api.Group+"/"+v.Name+`"`))
			}
			other.version = v.Name
			found[strings.Replace(file, "bad-"+stored, "bad-"+v.Name, 1)] = other
		}
	}
}

func specOf(version string) reflect.Type {
	return reflect.ValueOf(api.New(version, api.KindClaim)).Elem().FieldByName("Spec").Type()
}

// found lists errors as examples expect them, with the name of the rule in front.
func found(errs []Error) []string {
	lines := []string{}
	for _, e := range errs {
		line := fmt.Sprintf("%s: %s %s", e.Rule, typeName(e.Type), e.Field)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

func typeName(t field.ErrorType) string { return strings.TrimPrefix(string(t), "FieldValue") }

func TestBadExamplesAreRejectedByTheirRuleOnly(t *testing.T) {
	for file, e := range examples(t, "*/*.yaml") {
		t.Run(file, func(t *testing.T) {
			if bad := strings.HasPrefix(filepath.Base(file), "bad-"); bad == (len(e.expect) == 0) {
				t.Fatalf("the example expects %q", e.expect)
			}
			result := must.Get(Validate(t.Context(), e.request))(t)
			want := append([]string{}, e.along...)
			for _, line := range e.expect {
				want = append(want, filepath.Base(filepath.Dir(file))+": "+line)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, found(result.Errors)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// known are the names of all rules, with the versions that have them in some release.
func known() map[string][]string {
	names := map[string][]string{}
	for _, version := range conversion.Versions() {
		for _, release := range Releases(version) {
			for _, r := range Rules(version, release) {
				if !slices.Contains(names[r.Name], version) {
					names[r.Name] = append(names[r.Name], version)
				}
			}
		}
	}
	return names
}

func TestEveryRuleHasExamplesInEveryVersion(t *testing.T) {
	bad, good := map[string][]string{}, map[string]bool{}
	for file, e := range examples(t, "*/*.yaml") {
		name := filepath.Base(filepath.Dir(file))
		if known()[name] == nil {
			t.Errorf("%s: there is no rule %s", file, name)
		}
		if strings.HasPrefix(filepath.Base(file), "bad-") {
			bad[name] = append(bad[name], e.version)
		} else {
			good[name] = true
		}
	}
	for name, versions := range known() {
		if !good[name] {
			t.Errorf("rule %s has no good example", name)
		}
		for _, version := range versions {
			if !slices.Contains(bad[name], version) && !sameInAllVersions(name) {
				t.Errorf("rule %s has no bad example in %s", name, version)
			}
		}
	}
}

// sameInAllVersions reports whether a rule needs no example in each version: those of claimbridge, whose own tests
// cover all versions.
func sameInAllVersions(name string) bool {
	return slices.ContainsFunc(storageRules, func(r Rule) bool { return r.Name == name })
}

func TestEveryVersionHasAClaimReader(t *testing.T) {
	for _, version := range api.Names() {
		if claimReaders[version] == nil {
			t.Errorf("no claimReader reads %s for the checks: add one to validation/claim_readers.go",
				version)
		}
	}
	for version := range claimReaders {
		if _, known := api.Find(version); !known {
			t.Errorf("%s has rules, but no row in api/versions.go", version)
		}
	}
}

func TestRulesAreDescribed(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	for _, version := range api.Names() {
		for _, release := range Releases(version) {
			for _, r := range Rules(version, release) {
				if !kebab.MatchString(r.Name) {
					t.Errorf("the name %q is not in kebab-case", r.Name)
				}
				if r.Reason == "" || strings.Contains(r.Reason, "\n") || !strings.HasSuffix(r.Reason, ".") {
					t.Errorf("the reason of %s is not one line that ends in a full stop: %q", r.Name, r.Reason)
				}
				like := release
				if r.coversLaterFields && release == "1.31" {
					like = "1.33"
				}
				if r.Source != "claimbridge" && len(r.checks()[like]) == 0 {
					t.Errorf("%s applies to %s in %s, but its source %q names no check of it", r.Name, version,
						release, r.Source)
				}
			}
		}
	}
	if Rules("v2", "") != nil || Rules("v1", "1.33") != nil {
		t.Error("there are rules for an unknown version, or for a release that did not serve it")
	}
}
