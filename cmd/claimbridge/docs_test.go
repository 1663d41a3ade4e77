package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func page(t *testing.T, name string) string {
	t.Helper()
	return read(t, "../../"+name)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return string(text)
}

// runScript runs a script as those of testdata/script are run.
func runScript(t *testing.T, script string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.txtar")
	must.Do(t, os.WriteFile(file, []byte(script), 0o600))
	commands := map[string]func(*testscript.TestScript, bool, []string){"exits": exits}
	testscript.Run(t, testscript.Params{Files: []string{file}, RequireExplicitExec: true, Cmds: commands})
}

// A command that nobody finds is not there.
func TestThePageOfTheCommandLineHasEveryCommand(t *testing.T) {
	list, _, _ := strings.Cut(page(t, "docs/command-line.md"), "\n`claimbridge COMMAND --help`")
	for _, command := range newRootCommand().Commands() {
		if name := command.Name(); name == "help" {
			continue
		} else if !regexp.MustCompile("(?m)^\\| (`\\w+`, )?`" + name + "`[ ,]").MatchString(list) {
			t.Errorf("the table of commands of docs/command-line.md has no claimbridge %s", name)
		}
	}
}

// Each command has help, which fits a terminal and a page of the documentation, and runs in a script.
func TestEveryCommandHasHelp(t *testing.T) {
	scripts := allScripts(t)
	var look func(c *cobra.Command, path ...string)
	look = func(c *cobra.Command, path ...string) {
		said, _, _ := claimbridge(t, "", append(path, "--help")...)
		if strings.HasPrefix(strings.TrimSpace(said), "Usage:") {
			t.Errorf("%s has no help", path)
		}
		for line := range strings.Lines(said) {
			if len(strings.TrimSuffix(line, "\n")) > 100 {
				t.Errorf("%s --help: %s", path, line)
			}
		}
		if command := c.CommandPath(); !c.HasSubCommands() && !strings.Contains(scripts, command+" ") {
			t.Errorf("no script runs %s", command)
		}
		for _, sub := range c.Commands() {
			look(sub, append(slices.Clone(path), sub.Name())...)
		}
	}
	look(newRootCommand())
}

// What pages show before and after is what convert gives, and that becomes the first claim again.
func TestTheClaimsOfPages(t *testing.T) {
	for name, older := range map[string]string{"README.md": "v1beta1", "docs/conversion.md": "v1alpha2"} {
		blocks := strings.Split(page(t, name), "```yaml\n")
		if len(blocks) < 3 {
			t.Fatalf("%s has no two claims in YAML", name)
		}
		before, _, _ := strings.Cut(blocks[1], "```")
		after, _, _ := strings.Cut(blocks[2], "```")
		for _, way := range []struct{ from, version, to string }{{before, "v1", after}, {after, older, before}} {
			got, said, code := claimbridge(t, way.from, "convert", "--to", way.version)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, said)
			}
			if diff := cmp.Diff(way.to, got); diff != "" {
				t.Errorf("to %s (-%s +convert):\n%s", way.version, name, diff)
			}
		}
	}
}

// Who has 60 seconds reads no further.
func TestTheREADMEIsShort(t *testing.T) {
	if got := strings.Count(page(t, "README.md"), "\n"); got > 110 {
		t.Errorf("README.md has %d lines, more than 110", got)
	}
}

// The commands that pages show, in order, over claims of yesterday or of the first release, with
// the exit codes that they promise. Those that need a cluster, or serve, are run by other tests.
func TestTheCommandsOfPages(t *testing.T) {
	first, today := page(t, "docs/examples/claim-v1alpha1.yaml"), page(t, "docs/examples/claims-v1.yaml")
	old := strings.ReplaceAll(today, "resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n")
	const claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a, namespace: a}\nspec: " +
		"{devices: {requests: [{name: a, exactly: {deviceClassName: %s}}]}}\n"
	for name, test := range map[string]struct {
		text, shown, but string // which lines are commands
		least            int
		codes            map[string]int // of those that do not end with 0
		instead          []string       // of what is not here
		then             string         // in the script
		files            map[string]string
	}{
		"README": {
			text:  page(t, "docs/README.md") + page(t, "README.md"),
			shown: `^    claimbridge .*docs/examples/`,
			least: 5,
			then:  "stdout '^\\+apiVersion: resource.k8s.io/v1$'\n", // of the last, which shows what would change
			files: map[string]string{"docs/examples/claim-v1alpha1.yaml": first, "docs/examples/claims-v1.yaml": today},
		},
		"upgrades": {
			// Commands in table cells, too. Those that write in place would change what the way back is compared with.
			text: regexp.MustCompile("\\| `(claimbridge [^`]*)`").ReplaceAllString(page(t, "docs/upgrades.md"),
				"\n    $1\n"),
			shown: `^    claimbridge `, but: ` --write `, least: 6,
			// The way back gives the text back, as the page says.
			then: "exec sh -c 'claimbridge convert --to 1.27 manifests/old.yaml > up; claimbridge convert --to 1.26 " +
				"up > old'\n" +
				"exec sh -c 'claimbridge convert --to 1.37 old > today; claimbridge convert --to 1.26 today > " +
				"again'\ncmp again old\n",
			files: map[string]string{
				"manifests/old.yaml":        first,
				"manifests/deeper/new.yaml": today,
				"manifests/values.yaml":     "replicas: 1\n",
				// Both are only for kustomize, and without the types that kustomize fills in and patches leave out.
				"manifests/kustomization.yaml":         "resources: [old.yaml]\n",
				"manifests/overlay/kustomization.yaml": "patches: [{path: patch.yaml}]\n",
				"manifests/overlay/patch.yaml": "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: " +
					"{name: gpu}\nspec: {devices: {requests: [{name: gpu, count: 2}]}}\n",
			},
		},
		"files": { // the check succeeds, as all was written
			text:    page(t, "docs/files.md"),
			shown:   `^    (claimbridge|helm) `,
			least:   7,
			instead: []string{"helm template my-chart", "cat $WORK/old"},
			codes:   map[string]int{"helm template my-chart | claimbridge convert --to 1.36 --check --diff": 3},
			then:    "cmp manifests/claims.yaml converted/claims.yaml\n",
			files: map[string]string{
				"manifests/claims.yaml": old,
				"manifests/values.yaml": "a: 1\n",
				"old":                   old,
				"my-chart/Chart.yaml":   "name: a\n",
				"my-chart/templates/a.yaml": "apiVersion: {{ .Values.api | default \"resource.k8s.io/v1\" }}\nkind: " +
					"ResourceClaim\n",
			},
		},
		"command line": {
			text:  page(t, "docs/command-line.md"),
			shown: `^    .*claimbridge `,
			but:   `^    (claims.yaml: |claimbridge (serve|preflight|proxy) )|kubectl `,
			least: 9,
			codes: map[string]int{
				// there is a warning
				"claimbridge convert --to 1.36 -f manifests/ -R --report sarif=claims.sarif --fail-on=warning > " +
					"new.yaml": 1,
				// what is asked for must not change
				"claimbridge validate -f new.yaml --operation update --old old.yaml -o json": 1,
			},
			instead: []string{
				"helm template CHART", "cat claims.yaml", "$GITHUB_STEP_SUMMARY", "summary.md",
				"-f new.yaml --operation", "-f other.yaml --operation",
			},
			files: map[string]string{
				"claims/a.yaml":    old,
				"manifests/a.yaml": old,
				"claims.yaml":      today,
				"other.yaml":       fmt.Sprintf(claim, "a"),
				"old.yaml":         fmt.Sprintf(claim, "b"),
				"old.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"resource.k8s.io/v1beta1",` +
					`"kind":"ResourceClaim","metadata":{"name":"a"}}]}` + "\n",
				"manifests/hook.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: " +
					"ValidatingWebhookConfiguration\nmetadata: {name: a}\n" +
					"webhooks: [{rules: [{apiGroups: [resource.k8s.io], apiVersions: [v1beta1]}]}]\n",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			script, run := "", 0
			for line := range strings.Lines(test.text) {
				if !regexp.MustCompile(test.shown).MatchString(line) ||
					test.but != "" && regexp.MustCompile(test.but).MatchString(line) {
					continue
				}
				command := strings.TrimSpace(line)
				script += fmt.Sprintf("exits %d sh -c '%s'\n", test.codes[command],
					strings.NewReplacer(test.instead...).Replace(command))
				delete(test.codes, command)
				run++
			}
			if run < test.least || len(test.codes) > 0 {
				t.Fatalf("there are only %d commands, and none of %v", run, test.codes)
			}
			script += test.then
			for file, text := range test.files {
				script += "-- " + file + " --\n" + text
			}
			runScript(t, script)
		})
	}
}
