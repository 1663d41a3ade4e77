//go:build oracle

package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// TestUnitTestsOfKubernetes runs the unit tests of the chosen releases on claimbridge. The test files are compiled as
// they are in the module cache, with the package in test/upstream/unittests in place of the code that they test, which
// asks this test for the results of claimbridge.
//
// Cases that don't apply to claimbridge are listed in testdata/unit-tests with their reason. They must fail, and the
// API server of the release must have the results of claimbridge for each of their writes, except for intended
// differences.
func TestUnitTestsOfKubernetes(t *testing.T) {
	for _, v := range chosen(t) {
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			table, err := readNotApplicable(v.Name)
			if errors.Is(err, os.ErrNotExist) {
				t.Skipf("there is no %s", notApplicableFile(v.Name))
			}
			must.Do(t, err)
			for _, suite := range unitTestSuitesOf(v.Name) {
				t.Run(suite.name, func(t *testing.T) {
					reasons := must.Get(table.reasons(suite.name))(t)
					cases := suite.run(t, v)
					t.Logf("%d cases, %d of them not applicable", len(cases), len(reasons))
					cases.check(t, v, reasons)
					if !t.Failed() {
						unitTestRow{v.Name, suite.name, len(cases), table}.check(t)
					}
				})
			}
		})
	}
}

// unitTestCase is a unit test without subtests.
type unitTestCase struct {
	passed bool
	output string
}

// unitTestCases by their names.
type unitTestCases map[string]*unitTestCase

// check that the cases that fail are those that don't apply.
func (cases unitTestCases) check(t *testing.T, v Validator, reasons map[string]string) {
	t.Helper()
	var u *upstream
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c, reason := cases[name], reasons[name]
		switch {
		case !c.passed && reason == "":
			t.Errorf("%s fails:\n%s", name, c.log())
		case c.passed && reason != "":
			t.Errorf("%s passes, and %s lists it as not applicable: %s", name, notApplicableFile(v.Name), reason)
		case !c.passed:
			if u == nil {
				u = v.start(t)
			}
			c.checkReason(t, u, name, reason)
		}
	}
	for name := range reasons {
		if cases[name] == nil {
			t.Errorf("%s lists %s, which doesn't exist", notApplicableFile(v.Name), name)
		}
	}
}

// checkReason checks that the API server has claimbridge's results, except for intended differences.
func (c *unitTestCase) checkReason(t *testing.T, u *upstream, name, reason string) {
	t.Helper()
	writes := c.writes(t)
	if len(writes) == 0 && reason != "encoding" {
		t.Errorf("%s: the reason is %q, but the test validates nothing", name, reason)
	}
	differs := false
	for _, w := range writes {
		c := compare(t, u, w)
		if c.difference != "" {
			t.Errorf("%s: the API server of the release differs: %s\nold: %s\nnew: %s", name, c.difference,
				clip(w.OldObject), clip(w.Object))
		}
		differs = differs || c.excused != ""
	}
	if reason == "difference" && !differs {
		t.Errorf("%s: the reason is %q, but claimbridge has the result of the API server", name, reason)
	}
}

// log returns the output of the test without changes of feature gates.
func (c *unitTestCase) log() string {
	var log strings.Builder
	for line := range strings.Lines(c.output) {
		if !strings.Contains(line, "feature_gate.go") && strings.TrimSpace(line) != "" {
			log.WriteString(line)
		}
	}
	return log.String()
}

// unitTestMark starts a line with a write that a test asks about: see test/upstream/ask.
const unitTestMark = "claimbridge validates "

// writes that the test asked about.
func (c *unitTestCase) writes(t *testing.T) (writes []validation.Request) {
	t.Helper()
	for line := range strings.Lines(c.output) {
		if text, found := strings.CutPrefix(line, unitTestMark); found {
			writes = append(writes, must.Get(readQuestion([]byte(text)))(t))
		}
	}
	return writes
}

// readQuestion reads a write as validators and unit tests encode it.
func readQuestion(text []byte) (r validation.Request, err error) {
	var question struct {
		Operation         string
		Object, OldObject json.RawMessage
	}
	err = json.Unmarshal(text, &question)
	for operation, name := range operationNames {
		if name == question.Operation {
			r.Operation = operation
		}
	}
	r.Object, r.OldObject = question.Object, question.OldObject
	return r, err
}

// run the suite with the tests of a release.
func (s unitTestSuite) run(t *testing.T, v Validator) unitTestCases {
	t.Helper()
	server := httptest.NewServer(answers(t, v.Name))
	defer server.Close()
	command := v.goCommand(t, "test", "-vet=off", "-count=1", "-json", "-skip="+s.skip, "-overlay="+s.overlay(t, v))
	for _, folder := range s.folders(v) {
		command.Args = append(command.Args, "./"+path.Join(s.shim(), folder))
	}
	command.Env = append(command.Env, "CLAIMBRIDGE_URL="+server.URL, "CLAIMBRIDGE_VERSIONS="+strings.Join(v.Versions, ","))
	output, err := command.Output()
	cases := readUnitTests(t, output, shims+"/"+s.shim())
	if len(cases) == 0 {
		t.Fatalf("no tests have run: %v\n%s", err, output)
	}
	return cases
}

// folders of the packages of the suite, in the folder of its shim: one for each version of the release, or the folder
// itself.
func (s unitTestSuite) folders(v Validator) []string {
	if s.eachVersion {
		return v.Versions
	}
	return []string{""}
}

// shim is the folder in test/upstream with the code that replaces what the suite tests.
func (s unitTestSuite) shim() string { return "unittests/" + s.name }

// replacedImports are imports of test files, with the packages of test/upstream that take their place: testify compares
// errors to the letter, and the packages of Kubernetes call its own validation.
var replacedImports = strings.NewReplacer(
	`"github.com/stretchr/testify/assert"`, `"`+shims+`/assert"`,
	`"github.com/google/go-cmp/cmp"`, `cmp "`+shims+`/assert"`,
	`"k8s.io/kubernetes/pkg/api/legacyscheme"`, `legacyscheme "`+shims+`/unittests/defaults"`,
	`"k8s.io/kubernetes/pkg/api/testing"`, `"`+shims+`/declarative"`,
	`"k8s.io/kubernetes/test/declarative_validation/meta"`, `meta "`+shims+`/declarative"`,
	`"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"`, `"`+shims+`/unittests/resourceclaim"`,
	`"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"`, `"`+shims+`/unittests/resourceclaimtemplate"`,
)

const shims = "github.com/claimbridge/claimbridge/test/upstream"

// overlay adds the test files in the module cache to the folder of the shim.
func (s unitTestSuite) overlay(t *testing.T, v Validator) (file string) {
	t.Helper()
	var module struct{ Dir string }
	download := v.goCommand(t, "mod", "download", "-json", s.module)
	must.Do(t, json.Unmarshal(must.Get(download.Output())(t), &module))
	folder := t.TempDir()
	replace := map[string]string{}
	for _, version := range s.folders(v) {
		for _, name := range s.files {
			source := must.Get(os.ReadFile(filepath.Join(module.Dir, s.folder, version, name)))(t)
			copied := filepath.Join(folder, version+name)
			must.Do(t, os.WriteFile(copied, []byte(replacedImports.Replace(string(source))), 0o600))
			replace[filepath.Join(download.Dir, s.shim(), version, name)] = copied
		}
	}
	file = filepath.Join(folder, "overlay.json")
	must.Do(t, os.WriteFile(file, must.Get(json.Marshal(map[string]any{"Replace": replace}))(t), 0o600))
	return file
}

// goCommand returns a go command for the module of the validator.
func (v Validator) goCommand(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", arguments...)
	command.Dir = must.Get(filepath.Abs("../upstream"))(t)
	command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -modfile="+v.Modfile+" -tags="+v.Tags)
	if v.Toolchain != "" {
		command.Env = append(command.Env, "GOTOOLCHAIN="+v.Toolchain)
	}
	command.Stderr = os.Stderr
	return command
}

// readUnitTests reads the output of go test -json. The name of a case is that of its test, after the path of its
// package in a folder.
func readUnitTests(t *testing.T, output []byte, folder string) unitTestCases {
	t.Helper()
	cases := unitTestCases{}
	for lines := json.NewDecoder(bufio.NewReader(bytes.NewReader(output))); lines.More(); {
		var event struct{ Action, Package, Test, Output string }
		must.Do(t, lines.Decode(&event))
		if event.Test == "" {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(event.Package, folder)+"/"+event.Test, "/")
		if cases[name] == nil {
			cases[name] = &unitTestCase{}
		}
		cases[name].output += event.Output
		if event.Action == "pass" {
			cases[name].passed = true
		}
	}
	for name := range cases {
		for parent := name; strings.Contains(parent, "/"); {
			parent = parent[:strings.LastIndex(parent, "/")]
			delete(cases, parent)
		}
	}
	return cases
}

// check that the page has the row. Recording results writes it.
func (r unitTestRow) check(t *testing.T) {
	t.Helper()
	page := string(must.Get(os.ReadFile(unitTestsPage))(t))
	before, rest, found := strings.Cut(page, r.prefix())
	if !found {
		t.Errorf("%s doesn't have the row %s", unitTestsPage, r)
		return
	}
	row, after, _ := strings.Cut(rest, "\n")
	switch {
	case r.prefix()+row == r.String():
	case updating:
		must.Do(t, os.WriteFile(unitTestsPage, []byte(before+r.String()+"\n"+after), 0o644))
	default:
		t.Errorf("%s has the row %s%s, want %s", unitTestsPage, r.prefix(), row, r)
	}
}
