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

// Help is there, and fits a terminal and a page of the documentation. A script has each command.
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

// The commands that the README and the list of pages show over the examples succeed.
func TestTheCommandsOfTheREADME(t *testing.T) {
	var script strings.Builder
	for line := range strings.Lines(page(t, "docs/README.md") + page(t, "README.md")) {
		if command, ok := strings.CutPrefix(line, "    claimbridge "); ok && strings.Contains(line, "docs/examples/") {
			fmt.Fprintf(&script, "exec sh -c 'claimbridge %s'\n", strings.TrimSpace(command))
		}
	}
	if commands := strings.Count(script.String(), "\n"); commands < 5 {
		t.Fatalf("there are only %d commands over the examples", commands)
	}
	script.WriteString("stdout '^\\+apiVersion: resource.k8s.io/v1$'\n") // of the last, which shows what would change
	for _, name := range []string{"claim-v1alpha1", "claims-v1"} {
		script.WriteString("-- docs/examples/" + name + ".yaml --\n" + page(t, "docs/examples/"+name+".yaml"))
	}
	runScript(t, script.String())
}

// The commands of the page of upgrades, run in order over manifests of the first release and of today. Those that need a cluster are
// left out.
func TestTheCommandsOfTheUpgradesPage(t *testing.T) {
	var script strings.Builder
	for line := range strings.Lines(page(t, "docs/upgrades.md")) {
		if command, ok := strings.CutPrefix(line, "    claimbridge "); ok {
			fmt.Fprintf(&script, "exec sh -c 'claimbridge %s'\n", strings.TrimSpace(command))
		}
	}
	if commands := strings.Count(script.String(), "\n"); commands < 4 {
		t.Fatalf("docs/upgrades.md has only %d commands", commands)
	}
	// The way back gives the text back, as the page says.
	for _, way := range []string{"1.27 manifests/old.yaml > up", "1.26 up > old", "1.37 old > today", "1.26 today > again"} {
		script.WriteString("exec sh -c 'claimbridge convert --to " + way + "'\n")
	}
	script.WriteString("cmp again old\n")
	for name, file := range map[string]string{"old": "claim-v1alpha1", "deeper/new": "claims-v1"} {
		script.WriteString("-- manifests/" + name + ".yaml --\n" + page(t, "docs/examples/"+file+".yaml"))
	}
	runScript(t, script.String())
}

// The commands of the page about repositories, in order, in one that has claims of yesterday, with the exit codes that it promises.
func TestTheCommandsOfTheFilesPage(t *testing.T) {
	codes := map[string]int{
		"claimbridge convert --to 1.36 --diff .":                                0,
		"claimbridge convert --to 1.36 --write .":                               0,
		"claimbridge convert --to 1.36 --check --diff --fail-on=warning .":      0, // it was written
		"claimbridge convert --to 1.36 --output-dir converted manifests":        0,
		"claimbridge validate -R --exclude=my-chart .":                          0,
		"helm template my-chart | claimbridge convert --to 1.36 --check --diff": 3,
		"helm template my-chart | claimbridge validate":                         0,
	}
	script := "exits 3 claimbridge convert --to 1.36 --check .\n"
	for line := range strings.Lines(page(t, "docs/files.md")) {
		command := strings.TrimSpace(line)
		if !strings.HasPrefix(line, "    claimbridge ") && !strings.HasPrefix(line, "    helm ") {
			continue
		}
		code, known := codes[command]
		if !known {
			t.Errorf("nobody runs %q", command)
			continue
		}
		delete(codes, command)
		script += fmt.Sprintf("exits %d sh -c '%s'\n", code, strings.Replace(command, "helm template my-chart", "cat $WORK/old", 1))
	}
	for command := range codes {
		t.Errorf("docs/files.md does not have %q", command)
	}
	old := strings.ReplaceAll(page(t, "docs/examples/claims-v1.yaml"), "resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n")
	script += "cmp manifests/claims.yaml converted/claims.yaml\n-- manifests/claims.yaml --\n" + old + "-- manifests/values.yaml --\na: 1\n-- old --\n" + old +
		"-- my-chart/Chart.yaml --\nname: a\n-- my-chart/templates/a.yaml --\napiVersion: {{ .Values.api | default \"resource.k8s.io/v1\" }}\nkind: ResourceClaim\n"
	runScript(t, script)
}

// The commands of the page of the command line, in order, over claims of yesterday, with the exit codes that it promises. Those that need a
// cluster, or serve, are run by other tests.
func TestTheCommandsOfTheCommandLinePage(t *testing.T) {
	others := regexp.MustCompile(`^claimbridge (serve|preflight|migrate|proxy) |kubectl `)
	codes := map[string]int{
		"claimbridge convert --to 1.36 -f manifests/ -R --report sarif=claims.sarif --fail-on=warning > new.yaml": 1, // there is a warning
		"claimbridge validate -f new.yaml --operation update --old old.yaml -o json":                              1, // what is asked for must not change
	}
	script, run := "", 0
	for line := range strings.Lines(page(t, "docs/command-line.md")) {
		command := strings.TrimSpace(line)
		if !strings.HasPrefix(line, "    ") || !strings.Contains(line, "claimbridge ") || strings.HasPrefix(command, "claims.yaml: ") || others.MatchString(command) {
			continue
		}
		code := codes[command]
		delete(codes, command)
		run++
		if strings.Contains(command, " --old old.yaml") {
			script += "cp other.yaml new.yaml\n"
		}
		script += fmt.Sprintf("exits %d sh -c '%s'\n", code, strings.NewReplacer("helm template CHART", "cat claims.yaml", "$GITHUB_STEP_SUMMARY", "summary.md").Replace(command))
	}
	for command := range codes {
		t.Errorf("docs/command-line.md does not have %q", command)
	}
	if run < 9 {
		t.Fatalf("docs/command-line.md has only %d commands that can be run here", run)
	}
	today := page(t, "docs/examples/claims-v1.yaml")
	old := strings.ReplaceAll(today, "resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n")
	claims := "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a, namespace: a}\nspec: {devices: {requests: [{name: a, exactly: {deviceClassName: %s}}]}}\n"
	for name, text := range map[string]string{
		"claims/a.yaml": old, "manifests/a.yaml": old, "claims.yaml": today, "old.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"}}]}`,
		"manifests/role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules: [{apiGroups: [resource.k8s.io], resources: [resourceclasses], verbs: [get]}]\n",
		"other.yaml":          fmt.Sprintf(claims, "a"), "old.yaml": fmt.Sprintf(claims, "b"),
		"resource-list.yaml": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {apiVersion: claimbridge.dev/v1alpha1, kind: ClaimConversion, metadata: {name: a}, spec: {to: v1}}\nitems: []\n",
	} {
		script += "-- " + name + " --\n" + text
		if !strings.HasSuffix(text, "\n") {
			script += "\n"
		}
	}
	runScript(t, script)
}
