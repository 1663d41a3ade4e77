package explain

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Each text leads to its own row: as it was seen, in a log with escaped quotes, and wrapped by a terminal.
func TestEveryTextLeadsToItsRow(t *testing.T) {
	threads := 0
	for _, r := range Rows {
		for _, s := range r.Seen {
			threads += min(len(s.Threads), 1)
			if got, _ := Text(s.Text); r.sure != "" && compiled(r.sure).MatchString(plain(s.Text)) && got.Otherwise != "" {
				t.Errorf("%q can only be of a file, and is told what to do otherwise: %s", s.Text, got.Otherwise)
			}
			for how, text := range map[string]string{
				"as it is":  s.Text,
				"in a log":  `E0219 11:25:55.877414 1 reflector.go:204] "Failed" err="` + strings.ReplaceAll(s.Text, `"`, `\"`) + `" type="*v1.Pod"`,
				"wrapped":   strings.ReplaceAll(s.Text, " ", "\n  "),
				"by a tool": "Error: UPGRADE FAILED: " + s.Text + "\nensure CRDs are installed first",
			} {
				if got, _ := Text(text); got.Name != r.Name && (how != "in a log" || r.Otherwise == "") { // there it is a program's
					t.Errorf("%s: %q is explained by %q, not by %q", how, text, got.Name, r.Name)
				}
			}
		}
		if r.Cause == "" || r.Native == "" || r.Command == "" || strings.Contains(r.Cause+r.Native+r.Command, "\n") {
			t.Errorf("%s lacks a cause, a way or a command of one line", r.Name)
		}
	}
	if threads < 12 {
		t.Errorf("only %d texts are from public threads", threads)
	}
}

func TestOtherTextsAreNotExplained(t *testing.T) {
	for _, text := range []string{
		"", "nonsense", `no matches for kind "ResourceClaim" in version "claims.example.com/v1"`, `no matches for kind "Certificate" in version "cert-manager.io/v1"`,
		`failed to list *v1.Pod: the server could not find the requested resource`, `unknown field "spec.replicas"`, "the server could not find the requested resource",
		`nodes is forbidden: User "a" cannot list resource "nodes" in API group "" at the cluster scope`,
	} {
		if got, known := Text(text); known {
			t.Errorf("%q is explained by %q", text, got.Name)
		}
	}
}

// What changes a file by sed is run as it is printed.
func TestCommandsOfSedRun(t *testing.T) {
	count := 0
	for _, row := range Rows {
		command, _, _ := strings.Cut(row.answer(facts{"version": cmp.Or(row.assumed, "v1")}).Command, " && ")
		if !strings.HasPrefix(command, "sed ") {
			continue
		}
		count++
		before := `"resource.k8s.io/` + cmp.Or(row.assumed, "v1") + `" # GA`
		class := "---\napiVersion: " + before + "\nkind: DeviceClass\n"
		file := filepath.Join(t.TempDir(), "claim.yaml")
		must.Do(t, os.WriteFile(file, []byte("apiVersion: "+before+"\nkind: ResourceClaim\n"+class), 0o600))
		run := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, "FILE", file))
		if output, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", command, err, output)
		}
		if text, err := os.ReadFile(file + ".new"); err != nil || strings.Count(string(text), before) != 1 || !strings.HasSuffix(string(text), class) {
			t.Errorf("%s: %v, the file has %s", command, err, text)
		}
	}
	if count < 3 {
		t.Errorf("%d commands were run", count)
	}
}
