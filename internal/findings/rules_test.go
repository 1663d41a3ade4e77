package findings

import (
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

func TestEveryRuleIsComplete(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	seen := map[Rule]bool{}
	for _, r := range validation.RuleVersions() {
		seen[Rule(r.Name)] = true
	}
	for _, r := range Rules() {
		switch {
		case !kebab.MatchString(string(r.Name)):
			t.Errorf("%q is not a name", r.Name)
		case seen[r.Name]:
			t.Errorf("%s is duplicated, or one of validation's too", r.Name)
		case r.Severity != Error && r.Severity != Warning:
			t.Errorf("%s has the severity %q", r.Name, r.Severity)
		case !strings.HasSuffix(r.Reason, ".") || !strings.HasSuffix(r.Remedy, ".") ||
			strings.Contains(r.Reason+r.Remedy, "\n"):
			t.Errorf("%s has no reason or remedy of one line: %q, %q", r.Name, r.Reason, r.Remedy)
		}
		seen[r.Name] = true
	}
}

func TestRulesOfValidationAreFound(t *testing.T) {
	if info, ok := findRule("spec-is-immutable"); !ok || info.Reason == "" ||
		!strings.Contains(info.Remedy, "claimbridge rules spec-is-immutable") {
		t.Errorf("%+v", info)
	}
	if info, ok := findRule("pod-claim-source"); !ok || info != PodClaimSource.Info() {
		t.Errorf("%+v", info)
	}
	if info, ok := findRule("no-such-rule"); ok {
		t.Errorf("%+v", info)
	}
}
