package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// unpublished matches a module version of a release that is not published.
var unpublished = regexp.MustCompile(`-(alpha|beta|rc)\.|` + notPublished)

// TestEveryChangeOfAReleaseHasARow checks that each recorded change since 1.37 has a row in a table. It fails if a row
// is missing or differs, and if the changes of a new release are not recorded.
func TestEveryChangeOfAReleaseHasARow(t *testing.T) {
	for _, r := range api.Releases() {
		minor := api.Minor(r.Name)
		if minor < 37 {
			continue
		}
		file := fmt.Sprintf("testdata/1.%d-%s.md", minor-1, r.Name)
		recorded, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v: run go run ./test/next 1.%d %s > test/next/%s, and review the file", err, minor-1, r.Name, file)
			continue
		}
		if r.Provisional == "" && unpublished.Match(recorded) {
			t.Errorf("%s was read from a pre-release of Kubernetes %s: generate it again", file, r.Name)
		}
		changes := 0
		for line := range strings.Lines(string(recorded)) {
			cells := strings.Split(strings.Trim(strings.ReplaceAll(strings.TrimSpace(line), `\|`, ""), "|"), " | ")
			if len(cells) != 4 || strings.TrimSpace(cells[0]) == "what" {
				continue
			}
			changes++
			want := rowOf(strings.TrimSpace(cells[0]), cells[2], r.Name)
			if got := strings.TrimSpace(cells[3]); want == noRow || got != want {
				t.Errorf("%s: %s = %s: got the row %s, want %s", file, cells[0], cells[2], got, want)
			}
		}
		if changes == 0 {
			t.Errorf("%s has no changes: add a release after the modules of its first pre-release are published", file)
		}
	}
}

// TestRowOf checks that a row matches a change only if it has the same fact.
func TestRowOf(t *testing.T) {
	for fact, test := range map[string]struct{ newValue, release, want string }{
		"field v1 ExactDeviceRequest.derivedAttributes": {"[]DeviceDerivedAttribute", "1.37", fieldRow},
		"field v1 ExactDeviceRequest.something":         {"string", "1.38", noRow},
		"gate DRADerivedAttributes":                     {"on, Beta", "1.38", noRow},
		"gate DRAConsumableCapacity":                    {"on, Beta", "1.36", fieldRow},
		"end of v1beta1":                                {"1.38", "1.35", versionRow},
		"end of v1beta2":                                {"1.40", "1.38", noRow},
		"function validation ValidateSomething":         {"ab", "1.97", noRow},
		"tags v1 ResourceClaimSpec.devices":             {"+k8s:new", "1.97", noRow},
		"check v1 DeviceClaim":                          {"validate.New", "1.36", validatorRow},
		"expression library CostEstimator.CallCost":     {"ab", "1.97", noRow},
		"module CEL":                                    {"cel.dev/cel-go v0.33.2", "1.38", validatorRow},
		"constant v1 MaxCapacityRequirements":           {"32", "1.97", noRow},
	} {
		if got := rowOf(fact, test.newValue, test.release); got != test.want {
			t.Errorf("%s = %s in %s: got the row %s, want %s", fact, test.newValue, test.release, got, test.want)
		}
	}
}

// TestFacts checks that each kind of fact is read, and that methods of two types with the same name are two facts.
func TestFacts(t *testing.T) {
	found := facts{}
	must.Do(t, found.addTypes(map[string][]byte{
		"go.mod": []byte("module k8s.io/api"),
		"resource/v1/types.go": []byte("package v1\n\nconst (\n\tMaxCapacityRequirements = 32\n\tDeviceTaintRuleA = 1\n)\n" +
			"type A struct {\n\t// +k8s:optional\n\tB string `json:\"b,omitempty\"`\n}\n"),
		"resource/v1/zz_generated.validations.go": []byte("package v1\n\nfunc Validate_A() { validate.MaxItems(a, 8) }\n"),
	}, "1.38"))
	must.Do(t, found.addGatesAndFunctions(map[string][]byte{
		"pkg/features/kube_features.go": []byte("package features\n\nvar a = map[b]c{\n\tDRAPrioritizedList: {\n" +
			"\t\t{Version: version.MustParse(\"1.37\"), Default: true, PreRelease: featuregate.Beta},\n" +
			"\t\t{Version: version.MustParse(\"1.38\"), Default: true, PreRelease: featuregate.GA, LockToDefault: true},\n" +
			"\t\t{Version: version.MustParse(\"1.39\"), Default: false, PreRelease: featuregate.GA},\n\t},\n}\n"),
		"pkg/registry/resource/resourceclaim/strategy.go": []byte("package resourceclaim\n\n" +
			"func (a *claimStrategy) Validate() { b() }\n\nfunc (a statusStrategy) Validate() { c() }\n"),
		"pkg/apis/resource/validation/validation.go": []byte("package validation\n\nfunc validateSlice() { b() }\n\n" +
			"func ValidateResourceSlice() { b() }\n"),
		"pkg/apis/resource/v1beta1/zz_generated.validations.go": []byte("package v1beta1\n\nfunc Validate_A() { " +
			"validate.MaxItems(a, 9) }\n\nfunc Convert() {}\n"),
		"pkg/apis/core/validation/validation.go": []byte("package validation\n\nfunc ValidateNodeSelector() { b() }\n\n" +
			"func ValidatePod() { b() }\n"),
	}, "1.38"))
	must.Do(t, found.addExpressions(map[string][]byte{
		"go.mod":                  []byte("module k8s.io/apiserver\n\nrequire (\n\tcel.dev/cel-go v0.33.2\n)\n"),
		"pkg/cel/library/cost.go": []byte("package library\n\nfunc (l *CostEstimator) CallCost() { b() }\n"),
	}, "1.38"))
	for fact, want := range map[string]string{
		"constant v1 MaxCapacityRequirements": "32",
		"field v1 A.b":                        "string",
		"tags v1 A.b":                         "+k8s:optional",
		"check v1 A":                          "validate.MaxItems , 8)",
		"check v1beta1 A":                     "validate.MaxItems , 9)",
		"gate DRAPrioritizedList":             "on, GA, locked",
		"module CEL":                          "cel.dev/cel-go v0.33.2",
	} {
		if got := found[fact]; got != want {
			t.Errorf("%s: got %q, want %q", fact, got, want)
		}
		delete(found, fact)
	}
	// The hashes of functions are not compared.
	want := []string{
		"expression library CostEstimator.CallCost", "function resourceclaim claimStrategy.Validate",
		"function resourceclaim statusStrategy.Validate", "function validation ValidateNodeSelector",
		"function validation validateSlice",
	}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("functions: got %q, want %q", got, want)
	}
}
