//go:build e2e

package integrations

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// hook has the tested fields of a pre-commit hook.
type hook struct {
	ID    string `json:"id"`
	Entry string `json:"entry"`
	Files string `json:"files"`
}

// TestPreCommitHooks checks that pre-commit passes changed manifests to the hooks, and that the hooks stop the commit
// with their exit code or by changing a file.
func TestPreCommitHooks(t *testing.T) {
	var hooks []hook
	readYAML(t, "../../.pre-commit-hooks.yaml", &hooks)
	program := built.Claimbridge(t)
	for _, h := range hooks {
		t.Run(h.ID, func(t *testing.T) {
			files := regexp.MustCompile(h.Files) // valid in Python too
			for file, want := range map[string]bool{
				"a/b.yaml": true, "b.yml": true, "c.json": true, "Kustomization": true,
				"a/Kustomization": true, "d.go": false, "aKustomization": false, "yaml": false,
			} {
				if got := files.MatchString(file); got != want {
					t.Errorf("files of the hook match %s: got %t, want %t", file, got, want)
				}
			}
			folder := newRepository(t)
			run := func(files ...string) (string, int) {
				args := append(strings.Fields(h.Entry), "--to=1.36")
				if args[0] != "claimbridge" {
					t.Fatalf("program of the entry: got %q, want claimbridge", args[0])
				}
				return runProgram(t, folder, nil, program, append(args[1:], files...)...)
			}
			isCheck := strings.Contains(h.Entry, "--check")
			wantCode := 0
			if isCheck {
				wantCode = 3
			}
			out, code := run("claims.yaml", "values.yaml")
			if code != wantCode {
				t.Errorf("got exit code %d, want %d\n%s", code, wantCode, out)
			}
			isConverted := strings.Contains(readFile(t, folder, "claims.yaml"), "resource.k8s.io/v1\n")
			if isConverted == isCheck {
				t.Errorf("claims.yaml is converted: got %t, want %t\n%s", isConverted, !isCheck, out)
			}
			if out, code := run("values.yaml"); code != 0 {
				t.Errorf("file without a claim: got exit code %d, want 0\n%s", code, out)
			}
		})
	}
}

// TestGitHubAction checks that the action fails if claims must be converted, and that it reports the changes in the
// log, as annotations, and in the summary.
func TestGitHubAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Name, Run string
				Env       map[string]string
			}
		}
	}
	readYAML(t, "../../action.yml", &action)
	root := must.Get(filepath.Abs("../.."))(t)
	folder := newRepository(t)
	temp := t.TempDir()
	summary := filepath.Join(temp, "summary.md")
	sarif := filepath.Join(temp, "claims.sarif")
	// runAction runs the steps until one fails. It returns the output and the exit code of the last step.
	runAction := func(failOn string) (output string, code int) {
		inputs := strings.NewReplacer(
			"${{ inputs.to }}", "1.36",
			"${{ inputs.paths }}", action.Inputs["paths"].Default,
			"${{ inputs.sarif }}", sarif,
			"${{ inputs.exclude }}", "vendored third_party/**",
			"${{ inputs.fail-on }}", failOn,
		)
		for _, step := range action.Runs.Steps {
			env := append(os.Environ(), "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary)
			for name, value := range step.Env {
				env = append(env, name+"="+inputs.Replace(value))
			}
			if output, code = runProgram(t, folder, env, "bash", "-e", "-c", step.Run); code != 0 {
				return output, code
			}
		}
		return output, code
	}
	failOn := action.Inputs["fail-on"].Default
	if failOn != "warning" {
		t.Errorf("default of fail-on: got %q, want warning", failOn)
	}
	output, code := runAction(failOn)
	if code != 3 {
		t.Errorf("got exit code %d, want 3", code)
	}
	for _, want := range []string{"+apiVersion: resource.k8s.io/v1\n", "::error file=claims.yaml,line=1,"} {
		if !strings.Contains(output, want) {
			t.Errorf("got\n%s\nwant it to contain %q", output, want)
		}
	}
	for _, file := range []string{summary, sarif} {
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), "claims.yaml") {
			t.Errorf("%s: got error %v and\n%s\nwant claims.yaml in it", file, err, data)
		}
	}
	if output, code := runProgram(t, folder, nil, filepath.Join(temp, "claimbridge"), "convert", "--write", "--to", "1.36",
		"--exclude=vendored", "."); code != 0 {
		t.Fatalf("convert --write: got exit code %d, want 0\n%s", code, output)
	}
	if output, code := runAction(failOn); code != 0 {
		t.Errorf("after convert --write: got exit code %d, want 0\n%s", code, output)
	}

	// A ResourceSlice is a warning, which fails the step unless fail-on is error.
	slice := "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: a}\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, "slice.yaml"), []byte(slice), 0o600))
	for failOn, wantCode := range map[string]int{"warning": 1, "error": 0} {
		output, code := runAction(failOn)
		if want := "::warning file=slice.yaml,line=1,"; code != wantCode || !strings.Contains(output, want) {
			t.Errorf("fail-on %s: got exit code %d, want %d and %q in\n%s", failOn, code, wantCode, want, output)
		}
	}
}

// newRepository returns a folder with a claim to convert, Helm values, and a vendored claim.
func newRepository(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(folder, "vendored"), 0o755))
	for _, file := range []string{"claims.yaml", "vendored/claims.yaml"} {
		copyFile(t, "testdata/kustomization/claims.yaml", filepath.Join(folder, file))
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, "values.yaml"), []byte("replicas: 3\n"), 0o600))
	return folder
}

// runProgram runs a program and returns its output and exit code.
func runProgram(t *testing.T, folder string, env []string, program string, args ...string) (output string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = folder
	cmd.Env = env
	text, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

func readFile(t *testing.T, folder, file string) string {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(folder, file)))(t)
	return string(data)
}

func readYAML(t *testing.T, file string, target any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(data, target)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
