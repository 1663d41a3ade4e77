package oracle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// unitTestSuite is a package of Kubernetes with unit tests that claimbridge has to pass. The folder of the same name in
// test/upstream/unittests replaces what it tests.
type unitTestSuite struct {
	name string
	// module in which the package is, and the folder of the package in the module.
	module, folder string
	// eachVersion is set if the folder has a package for each version.
	eachVersion bool
	// files with the tests.
	files []string
	// skip is a regular expression, as of go test -skip, for tests of what claimbridge doesn't do.
	skip string
	// since is the first release whose tests the replacement supports.
	since string
}

var unitTestSuites = []unitTestSuite{
	{
		name:   "validation",
		module: "k8s.io/kubernetes",
		folder: "pkg/apis/resource/validation",
		files:  []string{"validation_resourceclaim_test.go", "validation_resourceclaimtemplate_test.go"},
		since:  "1.26",
	},
	{
		name:   "resourceclaim",
		module: "k8s.io/kubernetes",
		folder: "pkg/registry/resource/resourceclaim",
		files:  []string{"strategy_test.go"},
		since:  "1.31",
	},
	{
		name:   "resourceclaimtemplate",
		module: "k8s.io/kubernetes",
		folder: "pkg/registry/resource/resourceclaimtemplate",
		files:  []string{"strategy_test.go"},
		since:  "1.31",
	},
	{
		name:   "declarative_resourceclaim",
		module: "k8s.io/kubernetes",
		folder: "test/declarative_validation/resource/resourceclaim",
		files:  []string{"declarative_validation_test.go"},
		since:  "1.37",
	},
	{
		name:   "declarative_resourceclaimtemplate",
		module: "k8s.io/kubernetes",
		folder: "test/declarative_validation/resource/resourceclaimtemplate",
		files:  []string{"declarative_validation_test.go"},
		since:  "1.37",
	},
	{
		name:   "cel",
		module: "k8s.io/dynamic-resource-allocation",
		folder: "cel",
		files:  []string{"compile_test.go"},
		skip:   "TestInterrupt|TestEvaluateDerivedAttributes", // they test the evaluation
		since:  "1.31",
	},
	{
		name:        "defaults",
		module:      "k8s.io/kubernetes",
		folder:      "pkg/apis/resource",
		eachVersion: true,
		files:       []string{"defaults_test.go"},
		skip:        "TestSetDefaultDeviceTaint", // of slices
		since:       "1.26",
	},
	{
		name:   "conversion",
		module: "k8s.io/kubernetes",
		folder: "pkg/apis/resource/v1beta1",
		files:  []string{"conversion_test.go"},
		skip:   "TestConversion/ResourceSlice",
		since:  "1.33",
	},
}

// unitTestSuitesOf a release.
func unitTestSuitesOf(release string) []unitTestSuite {
	return slices.DeleteFunc(slices.Clone(unitTestSuites), func(s unitTestSuite) bool { return s.since > release })
}

// notApplicableReasons are why a case doesn't apply to claimbridge, in the order of the columns of the table in
// docs/upstream-rules.md, which explains them.
var notApplicableReasons = []string{"metadata", "permissions", "feature-gates", "encoding", "difference"}

// notApplicable are the cases of a release that don't apply to claimbridge: suite, reason, names of tests.
type notApplicable map[string]map[string][]string

func notApplicableFile(release string) string {
	return filepath.Join("testdata", "unit-tests", release+".yaml")
}

func readNotApplicable(release string) (table notApplicable, err error) {
	data, err := os.ReadFile(notApplicableFile(release))
	if err != nil {
		return nil, err
	}
	return table, yaml.UnmarshalStrict(data, &table)
}

// reasons of a suite by the name of the test.
func (n notApplicable) reasons(suite string) (map[string]string, error) {
	reasons := map[string]string{}
	for reason, tests := range n[suite] {
		if !slices.Contains(notApplicableReasons, reason) {
			return nil, fmt.Errorf("%s: unknown reason %q", suite, reason)
		}
		for _, test := range tests {
			if reasons[test] != "" {
				return nil, fmt.Errorf("%s: %s is listed twice", suite, test)
			}
			reasons[test] = reason
		}
	}
	return reasons, nil
}

// unitTestsPage has a table with a row for each release and suite.
const unitTestsPage = "../../docs/upstream-rules.md"

// unitTestRow is a row of that table.
type unitTestRow struct {
	release, suite string
	cases          int
	notApplicable
}

func (r unitTestRow) prefix() string { return "| " + r.suite + " | " + r.release + " | " }

func (r unitTestRow) String() string {
	passed, cells := r.cases, ""
	for _, reason := range notApplicableReasons {
		count := len(r.notApplicable[r.suite][reason])
		passed -= count
		cells += fmt.Sprintf(" %d |", count)
	}
	return fmt.Sprintf("%s%d | %d |%s", r.prefix(), r.cases, passed, cells)
}

// TestUnitTestsOnThePage checks that the page has a row for each suite of the releases with a file of cases that don't
// apply. The newest release must have one.
func TestUnitTestsOnThePage(t *testing.T) {
	page := string(must.Get(os.ReadFile(unitTestsPage))(t))
	published := Published()
	for i, v := range published {
		table, err := readNotApplicable(v.Name)
		if errors.Is(err, os.ErrNotExist) && i < len(published)-1 {
			continue
		}
		must.Do(t, err)
		for _, suite := range unitTestSuitesOf(v.Name) {
			must.Get(table.reasons(suite.name))(t)
			row := unitTestRow{release: v.Name, suite: suite.name, notApplicable: table}
			_, after, found := strings.Cut(page, row.prefix())
			if found {
				_, err = fmt.Sscanf(after, "%d", &row.cases)
			}
			if !found || err != nil || !strings.Contains(page, row.String()+"\n") {
				t.Errorf("%s doesn't have the row %q", unitTestsPage, row)
			}
		}
	}
}
