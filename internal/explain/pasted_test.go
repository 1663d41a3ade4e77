package explain

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Texts of public threads, and what programs print around them: the cause and the command of each.
func TestWhatPeoplePasteLeadsToCauseAndCommand(t *testing.T) {
	content := must.Get(os.ReadFile("testdata/pasted.txt"))(t)
	pasted := strings.Split(string(content), "\n-- ")[1:]
	if len(pasted) < 40 {
		t.Errorf("only %d texts", len(pasted))
	}
	of := map[string]bool{}
	for _, p := range pasted {
		name, rest, _ := strings.Cut(p, " --\n")
		text, want, _ := strings.Cut(rest, "\ncause: ")
		cause, command, ok := strings.Cut(strings.TrimSpace(want), "\ncommand: ")
		if !ok {
			t.Fatalf("%s: lacks a cause or a command", name)
		}
		answer, known := Text(text)
		of[answer.Name] = true
		if !known || !strings.Contains(answer.Cause, cause) || !strings.Contains(answer.Command, command) {
			t.Errorf("%s: is explained by %q, %q and %q", name, answer.Name, answer.Cause, answer.Command)
		}
		if strings.Contains(answer.String(), "${") || strings.Contains(answer.Command, "another version") {
			t.Errorf("%s: a blank is left: %s", name, answer)
		}
	}
	for _, r := range Rows {
		if !of[r.Name] {
			t.Errorf("nobody pasted a text of %s", r.Name)
		}
	}
}
