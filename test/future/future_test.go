//go:build e2e

package future

import (
	"slices"
	"strings"
	"testing"
)

// skip lists tests that compare types with upstream's, which do not have the new field.
const skip = "-skip=^TestTypesMatchUpstream$|^TestTypesHaveOnlyUpstreamsFieldsAndIntendedOnes$"

// A new release passes every test that iterates over releases. Without one of its changes, the build or the test in its
// row of CONTRIBUTING fails.
func TestAddRelease(t *testing.T) {
	tr := newTree(t, readChanges(t))
	for _, suite := range [][]string{
		{
			"-run=Properties|Corpus|Samples|Field|Strict|Parsed|Reading|Rule|Example|Honest|Lossless|Version|" +
				"Release|Dropped|Gated|EveryWrite|LoseNothing",
			"./internal/conversion", "./test/unstructured", "./validation", "./config", "./internal/cli", "./test",
		},
		{
			"./api", "./webhook/internal/review", "./test/objects", "./test/next",
			"./internal/release",
		},
	} {
		if output, err := tr.test(t, append(suite, skip)...); err != nil {
			t.Errorf("%v: %v\n%s", suite, err, output)
		}
	}
	for i, c := range tr.changes {
		t.Run(c.name, func(t *testing.T) { tr.testWithout(t, i) })
	}
}

// testWithout leaves out one change, runs the test that detects that, and restores the change.
func (tr *tree) testWithout(t *testing.T, index int) {
	t.Helper()
	c := tr.changes[index]
	var files []string
	for _, e := range c.edits {
		files = append(files, e.file)
	}
	defer tr.write(t, files, -1)
	tr.write(t, files, index)
	name := strings.Trim(c.detectedBy, "`")
	arguments := append(slices.Clone(c.testArguments), "-run=^"+name+"$")
	want := "--- FAIL: " + name
	if c.detectedBy == "the compiler" {
		want = " failed]" // a failed build, or a package that was not found
	}
	output, err := tr.test(t, arguments...)
	if err == nil || !strings.Contains(output, want) {
		t.Errorf("without the change of %s, go test %v must fail with %q: %v:\n%s", c.path, arguments, want, err,
			output)
	}
}
