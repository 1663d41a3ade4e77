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

// TestPreCommitHooks checks that the hooks get changed manifests, and stop the commit with their exit code or by
// changing a file.
func TestPreCommitHooks(t *testing.T) {
	var hooks []hook
	parse(t, "../../.pre-commit-hooks.yaml", &hooks)
	program := built.Claimbridge(t)
	for _, h := range hooks {
		t.Run(h.ID, func(t *testing.T) {
			files := regexp.MustCompile(h.Files) // valid in Python too
			for file, want := range map[string]bool{
				"a/b.yaml": true, "b.yml": true, "c.json": true, "Kustomization": true,
				"a/Kustomization": true, "d.go": false, "aKustomization": false, "yaml": false,
			} {
				if files.MatchString(file) != want {
					t.Errorf("the hook gets %s: %t", file, !want)
				}
			}
			folder := repository(t)
			run := func(files ...string) (string, int) {
				words := append(strings.Fields(h.Entry), "--to=1.36")
				if words[0] != "claimbridge" {
					t.Fatalf("the entry is %q", h.Entry)
				}
				return runProgram(t, folder, nil, program, append(words[1:], files...)...)
			}
			isCheck := strings.Contains(h.Entry, "--check")
			out, code := run("claims.yaml", "values.yaml")
			if want := map[bool]int{true: 3, false: 0}[isCheck]; code != want {
				t.Errorf("exit code %d, want %d\n%s", code, want, out)
			}
			changed := strings.Contains(readFile(t, folder, "claims.yaml"), "resource.k8s.io/v1\n")
			if changed == isCheck {
				t.Errorf("the file is changed: %t\n%s", changed, out)
			}
			if out, code := run("values.yaml"); code != 0 {
				t.Errorf("without a claim: exit code %d\n%s", code, out)
			}
		})
	}
}

// TestGitHubAction checks that the action fails, and reports the changes in the log, as annotations, and in the
// summary.
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
	parse(t, "../../action.yml", &action)
	root := must.Get(filepath.Abs("../.."))(t)
	folder, temp := repository(t), t.TempDir()
	summary, sarif := filepath.Join(temp, "summary.md"), filepath.Join(temp, "claims.sarif")
	failOn := action.Inputs["fail-on"].Default
	run := func() (out string, code int) {
		for _, s := range action.Runs.Steps {
			env := append(os.Environ(), "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary)
			for name, value := range s.Env {
				value = strings.NewReplacer("${{ inputs.to }}", "1.36", "${{ inputs.paths }}",
					action.Inputs["paths"].Default, "${{ inputs.sarif }}", sarif,
					"${{ inputs.exclude }}", "vendored third_party/**",
					"${{ inputs.fail-on }}", failOn).Replace(value)
				env = append(env, name+"="+value)
			}
			if out, code = runProgram(t, folder, env, "bash", "-e", "-c", s.Run); code != 0 {
				return out, code
			}
		}
		return out, code
	}
	out, code := run()
	for _, want := range []string{"+apiVersion: resource.k8s.io/v1\n", "::error file=claims.yaml,line=1,"} {
		if code != 3 || !strings.Contains(out, want) {
			t.Errorf("exit code %d, want 3, and %q in\n%s", code, want, out)
		}
	}
	for _, file := range []string{summary, sarif} {
		if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "claims.yaml") {
			t.Errorf("%s: %v: %s", file, err, data)
		}
	}
	if out, code := runProgram(t, folder, nil, filepath.Join(temp, "claimbridge"), "convert", "--write", "--to", "1.36",
		"--exclude=vendored", "."); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if out, code := run(); code != 0 {
		t.Errorf("after --write: exit code %d\n%s", code, out)
	}

	// A ResourceSlice is a warning, which fails the step unless fail-on is error.
	slice := "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: a}\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, "slice.yaml"), []byte(slice), 0o600))
	for _, failOn = range []string{failOn, "error"} {
		out, code := run()
		want := map[string]int{"warning": 1, "error": 0}[failOn]
		if code != want || !strings.Contains(out, "::warning file=slice.yaml,line=1,") {
			t.Errorf("fail-on %s: exit code %d, want %d, and a warning in\n%s", failOn, code, want, out)
		}
	}
}

// repository returns a folder with a claim to convert, a file of values, and a vendored claim.
func repository(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for file, text := range map[string]string{
		"claims.yaml":          "testdata/kustomization/claims.yaml",
		"vendored/claims.yaml": "testdata/kustomization/claims.yaml",
	} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o755))
		copyFile(t, text, filepath.Join(folder, file))
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, "values.yaml"), []byte("replicas: 3\n"), 0o600))
	return folder
}

// runProgram runs a program and returns its output and exit code.
func runProgram(t *testing.T, folder string, env []string, program string, args ...string) (output string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = folder, env
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

func parse(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
