package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// claimOf returns a claim of a version with a spec.
func claimOf(version, spec string) string {
	return "apiVersion: resource.k8s.io/" + version + "\nkind: ResourceClaim\nmetadata: {name: gpu}\nspec: " + spec +
		"\n"
}

// TestCommandsOfErrors runs each command in docs/errors.md that reads files. It must fix or explain the error of its
// entry.
func TestCommandsOfErrors(t *testing.T) {
	const (
		flat    = "{devices: {requests: [{name: a, deviceClassName: c}]}}"
		exactly = "{devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}"
	)
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}], " +
		"resourceClaims: [{name: gpu, source: {resourceClaimName: gpu}}]}\n"
	for heading, test := range map[string]struct {
		file   string
		prints string // by a command that changes no file
		want   string // in the file afterwards
		code   int
	}{
		"A v1 manifest on an older cluster": {
			file:   claimOf("v1", exactly),
			prints: "apiVersion: resource.k8s.io/v1beta1\n",
		},
		"A manifest in an old version on a newer cluster": {file: claimOf("v1beta1", flat), want: "resource.k8s.io/v1\n"},
		"A deprecated version":                            {file: claimOf("v1beta1", flat), want: "resource.k8s.io/v1\n"},
		"A request without `exactly` in v1":               {file: claimOf("v1", flat), want: "resource.k8s.io/v1\n"},
		"A request with `exactly` in v1beta1": {
			file: claimOf("v1beta1", exactly), want: "resource.k8s.io/v1beta1\n",
		},
		"`resourceClassName` in a later version": {
			file: claimOf("v1", "{resourceClassName: c}"),
			want: "resource.k8s.io/v1\n",
		},
		"`devices` in v1alpha2": {file: claimOf("v1alpha2", flat), want: "resource.k8s.io/v1\n"},
		"A pod with `source`":   {file: pod, want: "resourceClaimName: gpu"},
		"A misspelled or misplaced field": {
			file:   claimOf("v1", "{devices: {requests: [{name: a, exactly: {deviceClass: c}}]}}"),
			prints: "deviceClassName",
			code:   1,
		},
		"A name of a capacity that 1.38 rejects": {
			file: claimOf("v1", "{devices: {requests: [{name: a, exactly: {deviceClassName: c, capacity: "+
				"{requests: {gpu-memory: 1Gi}}}}]}}"),
			prints: "capacity-name-is-qualified",
			code:   1,
		},
		"A name with more than one slash": {
			file: claimOf("v1", "{devices: {requests: [{name: a, exactly: {deviceClassName: c}}], "+
				"constraints: [{matchAttribute: gpu.example.com/numa/node}]}}"),
			prints: "must not contain more than one slash",
			code:   1,
		},
		"A field that the cluster's release does not have": {
			file: claimOf("v1beta1",
				"{devices: {requests: [{name: a, deviceClassName: c, capacity: {requests: {memory: 1Gi}}}]}}"),
			prints: "capacity",
		},
	} {
		t.Run(heading, func(t *testing.T) {
			_, section, ok := strings.Cut(page(t, "docs/errors.md"), "\n### "+heading+"\n")
			if !ok {
				t.Fatal("docs/errors.md has no such heading")
			}
			_, command, _ := strings.Cut(section, "\n\n    ")
			command, _, _ = strings.Cut(command, "\n")
			command, _, _ = strings.Cut(command, " | kubectl")
			dir := t.TempDir()
			file := filepath.Join(dir, "claim.yaml")
			must.Do(t, os.WriteFile(file, []byte(test.file), 0o600))
			shell := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, "FILE", "claim.yaml"))
			shell.Dir = dir
			printed, err := shell.CombinedOutput() // claimbridge is in PATH: see TestMain
			if err != nil && shell.ProcessState == nil {
				t.Fatal(err)
			}
			output, code := string(printed), shell.ProcessState.ExitCode()
			if code != test.code || !strings.Contains(output, test.prints) {
				t.Errorf("%s: exit code %d, want %d and %q:\n%s", command, code, test.code, test.prints, output)
			}
			content := read(t, file)
			if !strings.Contains(content, test.want) || strings.Contains(content, "source:") {
				t.Errorf("%s: want %q in\n%s", command, test.want, content)
			}
			if !strings.Contains(test.want, "resource.k8s.io") {
				return
			}
			release := "1.36"
			if strings.Contains(test.want, "v1beta1") {
				release = "1.33"
			}
			if output, stderr, code := claimbridge(t, content, "validate", "--kubernetes-release", release); code != 0 {
				t.Errorf("the file is not valid in %s: %s%s", release, output, stderr)
			}
		})
	}
}
