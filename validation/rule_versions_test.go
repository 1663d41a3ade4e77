package validation

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRuleVersionsHasEveryRuleOnce(t *testing.T) {
	listed := map[string][]string{}
	for _, l := range RuleVersions() {
		if listed[l.Name] != nil {
			t.Errorf("%s is listed twice", l.Name)
		}
		listed[l.Name] = l.Versions
	}
	if diff := cmp.Diff(versionsByRule(), listed); diff != "" {
		t.Errorf("rules (-rulesByRelease +RuleVersions):\n%s", diff)
	}
}
