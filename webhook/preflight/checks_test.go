package preflight

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A check is found by its name, and says what people need to know.
func TestChecks(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	seen := map[string]bool{}
	for _, c := range Checks {
		if !kebab.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("%q is not the name of one check", c.Name)
		}
		seen[c.Name] = true
		if c.Severity != Problem && c.Severity != Warning {
			t.Errorf("%s has severity %q", c.Name, c.Severity)
		}
		for _, text := range []string{c.Reason, c.Remedy} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "|") {
				t.Errorf("%s: %q is not a sentence for a table", c.Name, text)
			}
		}
	}
}

// A reader finds a check by its theme.
func TestEveryCheckIsInTheFileOfItsTheme(t *testing.T) {
	for _, theme := range themes {
		text, err := os.ReadFile("checks_" + theme.name + ".go")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range theme.checks {
			if !regexp.MustCompile(`Name: +"` + c.Name + `"`).Match(text) {
				t.Errorf("%s is not in the file of its theme", c.Name)
			}
		}
	}
}
