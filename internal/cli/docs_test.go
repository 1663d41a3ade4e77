package cli

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

// page returns the text of a file, by its path in the repository.
func page(t *testing.T, name string) string {
	t.Helper()
	return read(t, "../../"+name)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return string(text)
}

// runScript runs a script in the same way as those in testdata/script.
func runScript(t *testing.T, script string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.txtar")
	must.Do(t, os.WriteFile(file, []byte(script), 0o600))
	commands := map[string]func(*testscript.TestScript, bool, []string){"exits": exits}
	testscript.Run(t, testscript.Params{Files: []string{file}, RequireExplicitExec: true, Cmds: commands})
}

// TestEveryCommandIsDocumented checks that the table in docs/command-line.md lists each command.
func TestEveryCommandIsDocumented(t *testing.T) {
	list, _, _ := strings.Cut(page(t, "docs/command-line.md"), "\n`claimbridge COMMAND --help`")
	for _, command := range newRootCommand().Commands() {
		if name := command.Name(); name == "help" {
			continue
		} else if !regexp.MustCompile("(?m)^\\| (`\\w+`, )?`" + name + "`[ ,]").MatchString(list) {
			t.Errorf("the table of commands of docs/command-line.md has no claimbridge %s", name)
		}
	}
}

// TestEveryCommandHasHelp checks that each command has a help text of at most 100 columns, and runs in a script.
func TestEveryCommandHasHelp(t *testing.T) {
	scripts := allScripts(t)
	var check func(c *cobra.Command, path ...string)
	check = func(c *cobra.Command, path ...string) {
		text, _, _ := claimbridge(t, "", append(path, "--help")...)
		if strings.HasPrefix(strings.TrimSpace(text), "Usage:") {
			t.Errorf("%s has no help", path)
		}
		for line := range strings.Lines(text) {
			if len(strings.TrimSuffix(line, "\n")) > 100 {
				t.Errorf("%s --help: %s", path, line)
			}
		}
		if command := c.CommandPath(); !c.HasSubCommands() && !strings.Contains(scripts, command+" ") {
			t.Errorf("no script runs %s", command)
		}
		for _, sub := range c.Commands() {
			check(sub, append(slices.Clone(path), sub.Name())...)
		}
	}
	check(newRootCommand())
}

// TestClaimsInDocs converts the first claim of a page and compares the result with its second claim, and vice versa.
func TestClaimsInDocs(t *testing.T) {
	for name, older := range map[string]string{"README.md": "v1beta1", "docs/conversion.md": "v1alpha2"} {
		blocks := strings.Split(page(t, name), "```yaml\n")
		if len(blocks) < 3 {
			t.Fatalf("%s has fewer than two claims in YAML", name)
		}
		before, _, _ := strings.Cut(blocks[1], "```")
		after, _, _ := strings.Cut(blocks[2], "```")
		for _, conversion := range []struct{ from, version, to string }{{before, "v1", after}, {after, older, before}} {
			got, messages, code := claimbridge(t, conversion.from, "convert", "--to", conversion.version)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, messages)
			}
			if diff := cmp.Diff(conversion.to, got); diff != "" {
				t.Errorf("to %s (-%s +convert):\n%s", conversion.version, name, diff)
			}
		}
	}
}

// TestREADMEIsShort checks that the README can be read in a minute.
func TestREADMEIsShort(t *testing.T) {
	if got := strings.Count(page(t, "README.md"), "\n"); got > 110 {
		t.Errorf("README.md has %d lines, more than 110", got)
	}
}

// TestCommandsInDocs runs the commands of each page in order, and checks their exit codes. Other tests run commands
// that need a cluster or that serve.
func TestCommandsInDocs(t *testing.T) {
	first, today := page(t, "docs/examples/claim-v1alpha1.yaml"), page(t, "docs/examples/claims-v1.yaml")
	old := strings.ReplaceAll(today, "resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n")
	const claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a, namespace: a}\nspec: " +
		"{devices: {requests: [{name: a, exactly: {deviceClassName: %s}}]}}\n"
	for name, test := range map[string]struct {
		text              string
		commands, exclude string         // patterns of the lines to run, and of exceptions
		minimum           int            // number of commands
		codes             map[string]int // exit codes other than 0, by command
		replacements      []string       // for programs and files that the test does not have
		suffix            string         // end of the script
		files             map[string]string
	}{
		"README": {
			text:     page(t, "README.md"),
			commands: `^    claimbridge .*docs/examples/`,
			minimum:  2,
			suffix:   "stdout '^\\+apiVersion: resource.k8s.io/v1$'\n", // the last command prints a diff
			files:    map[string]string{"docs/examples/claim-v1alpha1.yaml": first, "docs/examples/claims-v1.yaml": today},
		},
		"upgrades": {
			// This includes commands in table cells. Commands with --write would change the original of the round trip.
			text: regexp.MustCompile("\\| `(claimbridge [^`]*)`").ReplaceAllString(page(t, "docs/upgrades.md"),
				"\n    $1\n"),
			commands: `^    claimbridge `, exclude: ` --write `, minimum: 6,
			// A round trip restores the text, as the page promises.
			suffix: "exec sh -c 'claimbridge convert --to 1.27 manifests/old.yaml > up; claimbridge convert --to 1.26 " +
				"up > old'\n" +
				"exec sh -c 'claimbridge convert --to 1.37 old > today; claimbridge convert --to 1.26 today > " +
				"again'\ncmp again old\n",
			files: map[string]string{
				"manifests/old.yaml":        first,
				"manifests/deeper/new.yaml": today,
				"manifests/values.yaml":     "replicas: 1\n",
				// kustomize does not require the apiVersion and kind of a kustomization.
				"manifests/kustomization.yaml":         "resources: [old.yaml]\n",
				"manifests/overlay/kustomization.yaml": "patches: [{path: patch.yaml}]\n",
				"manifests/overlay/patch.yaml": "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: " +
					"{name: gpu}\nspec: {devices: {requests: [{name: gpu, count: 2}]}}\n",
			},
		},
		"files": { // --check succeeds after --write
			text:         page(t, "docs/files.md"),
			commands:     `^    (claimbridge|helm) `,
			minimum:      7,
			replacements: []string{"helm template my-chart", "cat $WORK/old"},
			codes:        map[string]int{"helm template my-chart | claimbridge convert --to 1.36 --check --diff": 3},
			suffix:       "cmp manifests/claims.yaml converted/claims.yaml\n",
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
			text:     page(t, "docs/command-line.md") + page(t, "docs/moving-claims.md"),
			commands: `^    .*claimbridge `,
			exclude:  `^    (claims.yaml: |claimbridge (serve|preflight|proxy) )|kubectl `,
			minimum:  9,
			codes: map[string]int{
				// The webhook configuration causes a warning.
				"claimbridge convert --to 1.36 -f manifests/ -R --report sarif=claims.sarif --fail-on=warning > " +
					"new.yaml": 1,
				// The spec of a claim is immutable.
				"claimbridge validate -f new.yaml --operation update --old old.yaml -o json": 1,
			},
			replacements: []string{
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
			script, count := "", 0
			for line := range strings.Lines(test.text) {
				if !regexp.MustCompile(test.commands).MatchString(line) ||
					test.exclude != "" && regexp.MustCompile(test.exclude).MatchString(line) {
					continue
				}
				command := strings.TrimSpace(line)
				script += fmt.Sprintf("exits %d sh -c '%s'\n", test.codes[command],
					strings.NewReplacer(test.replacements...).Replace(command))
				delete(test.codes, command)
				count++
			}
			if count < test.minimum || len(test.codes) > 0 {
				t.Fatalf("the page has %d commands, and lacks those with the exit codes %v", count, test.codes)
			}
			script += test.suffix
			for file, text := range test.files {
				script += "-- " + file + " --\n" + text
			}
			runScript(t, script)
		})
	}
}
