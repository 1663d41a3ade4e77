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

// example is a file examples/<rule>/ok-*.yaml or bad-*.yaml. It begins with comments. The first lines give the reason.
// Then follow:
//
//	# operation: create, update or status
//	# release: 1.37                        if it is not the default release of the version
//	# expect: <Type> <path>                for each error of a bad example, as in: Forbidden status.reservedFor
//	# along with: <rule>: <Type> <path>    if no object violates this rule alone: an error of another rule
//
// The comments are followed by the object to create, or by the old and the new object of an update.
type example struct {
	request   Request
	version   string
	expect    []string // "<Type> <path>"
	alongWith []string // "<rule>: <Type> <path>"
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
			e.alongWith = append(e.alongWith, other)
		}
	}
	if e.request.Operation == "" {
		return e, fmt.Errorf("%s has no valid operation", file)
	}
	var objects [][]byte
	for _, document := range bytes.Split(data, []byte("\n---\n")) {
		object, err := yaml.YAMLToJSON(document)
		if err != nil {
			return e, fmt.Errorf("%s: %w", file, err)
		}
		objects = append(objects, object)
	}
	if e.request.Operation != Create && len(objects) > 0 {
		e.request.OldObject = objects[0]
		objects = objects[1:]
	}
	if len(objects) != 1 {
		return e, fmt.Errorf("%s has %d new objects, want 1", file, len(objects))
	}
	e.request.Object = objects[0]
	header, err := conversion.ReadHeader(e.request.Object)
	e.version = header.Version
	return e, err
}

// examples returns the examples whose path below examples matches a pattern, by file.
func examples(t testing.TB, pattern string) map[string]example {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("examples", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples match %s: %v", pattern, err)
	}
	all := map[string]example{}
	for _, file := range files {
		all[file] = must.Get(readExample(file))(t)
	}
	addExamplesForOtherVersions(all)
	return all
}

// addExamplesForOtherVersions copies bad examples of the stored version to versions with the same types that have no
// example of the rule. It skips a version that the release of the example does not serve.
func addExamplesForOtherVersions(all map[string]example) {
	ruleOf := filepath.Dir
	hasExample := map[string]bool{} // by rule and version
	for file, e := range all {
		hasExample[ruleOf(file)+e.version] = true
	}
	stored := conversion.Stored()
	for file, e := range maps.Clone(all) {
		if e.version != stored || isGoodExample(file) {
			continue
		}
		for _, v := range api.Versions() {
			isServed := e.request.Release == "" || slices.Contains(Releases(v.Name), e.request.Release)
			if isServed && specTypeOf(v.Name) == specTypeOf(stored) && !hasExample[ruleOf(file)+v.Name] {
				all[strings.Replace(file, "bad-"+stored, "bad-"+v.Name, 1)] = e.inVersion(v.Name)
			}
		}
	}
}

// inVersion returns the example in another version with the same types.
func (e example) inVersion(version string) example {
	inVersion := func(object []byte) []byte {
		return bytes.ReplaceAll(object, []byte(`"`+api.Group+"/"+e.version+`"`), []byte(`"`+api.Group+"/"+version+`"`))
	}
	e.request.Object = inVersion(e.request.Object)
	e.request.OldObject = inVersion(e.request.OldObject)
	e.version = version
	return e
}

func isGoodExample(file string) bool { return strings.HasPrefix(filepath.Base(file), "ok-") }

func specTypeOf(version string) reflect.Type {
	return reflect.ValueOf(api.New(version, api.KindClaim)).Elem().FieldByName("Spec").Type()
}

// formatErrors returns errors in the format of an example's alongWith, sorted and without duplicates.
func formatErrors(errs []Error) []string {
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
			if expectsErrors := len(e.expect) > 0; expectsErrors == isGoodExample(file) {
				t.Fatalf("the example expects the errors %q", e.expect)
			}
			result := must.Get(Validate(t.Context(), e.request))(t)
			want := append([]string{}, e.alongWith...)
			for _, line := range e.expect {
				want = append(want, filepath.Base(filepath.Dir(file))+": "+line)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, formatErrors(result.Errors)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// versionsByRule returns, by the name of each rule, the versions that have it in some release.
func versionsByRule() map[string][]string {
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
		if versionsByRule()[name] == nil {
			t.Errorf("%s: there is no rule %s", file, name)
		}
		if isGoodExample(file) {
			good[name] = true
		} else {
			bad[name] = append(bad[name], e.version)
		}
	}
	for name, versions := range versionsByRule() {
		if !good[name] {
			t.Errorf("rule %s has no good example", name)
		}
		for _, version := range versions {
			if !slices.Contains(bad[name], version) && !isClaimbridgeRule(name) {
				t.Errorf("rule %s has no bad example in %s", name, version)
			}
		}
	}
}

// isClaimbridgeRule reports whether a rule is one of claimbridge's own. Such a rule needs an example in only one
// version: its own tests cover all versions.
func isClaimbridgeRule(name string) bool {
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
