//go:build e2e

package repositories

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// program is claimbridge as people have it.
type program string

// convert for the release of the API server.
func (p program) convert(t *testing.T, c clone, flags ...string) (told string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), append([]string{"convert", "--to", "1.36", "."}, flags...)...)
	cmd.Dir = string(c)
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// rendered is what Helm makes of a chart as it was published, for the release that the chart is for, and converted on its way to another.
func (p program) rendered(t *testing.T, published string, of *chart) []byte {
	t.Helper()
	helm := programs.Other(t, programs.Helm4)
	text, err := exec.CommandContext(t.Context(), helm, "template", "x", filepath.Join(published, of.Folder), "--namespace=x", "--kube-version="+of.KubeVersion).Output()
	if err != nil {
		t.Fatalf("render %s: %v", of.Folder, err)
	}
	cmd := exec.CommandContext(t.Context(), string(p), "convert", "--to", "1.36")
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("convert what is rendered of %s: %v", of.Folder, err)
	}
	return out
}

// findings of a report in JSON that were not fixed: the rules by file, in the order of the text.
func findings(t *testing.T, report []byte) (errors, warnings map[string][]string) {
	t.Helper()
	errors, warnings = map[string][]string{}, map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(report)); decoder.More(); {
		var f struct {
			Rule, Severity, File string
			Fixed                bool
		}
		must.Do(t, decoder.Decode(&f))
		file := filepath.ToSlash(f.File)
		switch {
		case f.Fixed:
		case f.Severity == "error":
			errors[file] = append(errors[file], f.Rule)
		case f.Rule != "skipped-file":
			warnings[file] = append(warnings[file], f.Rule)
		}
	}
	return errors, warnings
}

// names of files, sorted.
func names(of map[string][]string) (all []string) {
	for name := range of {
		all = append(all, name)
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
