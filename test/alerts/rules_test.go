//go:build e2e

package alerts

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// promtool accepts the rules and the templates of their annotations.
func TestRulesAreWellFormed(t *testing.T) {
	rules, file := alertRules(t)
	if output, ok := promtool(t, "check", "rules", "--lint=all", "--lint-fatal", file); !ok {
		t.Errorf("promtool check rules:\n%s", output)
	}
	names := map[string]bool{}
	for _, r := range rules {
		if names[r.Alert] {
			t.Errorf("duplicate alert %s", r.Alert)
		}
		names[r.Alert] = true
		if severity := r.Labels["severity"]; severity != "critical" && severity != "warning" && severity != "info" {
			t.Errorf("%s: got severity %q, want critical, warning or info", r.Alert, severity)
		}
		for _, name := range []string{"summary", "description", "runbook_url"} {
			if r.Annotations[name] == "" {
				t.Errorf("%s has no annotation %s", r.Alert, name)
			}
		}
	}
	if len(rules) < 14 {
		t.Errorf("got %d alerts, want at least 14", len(rules))
	}
}

// docs/alerts.md has a section for each alert, with its severity and delay, and no section for a removed alert.
func TestRunbooksExist(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/alerts.md"))(t)
	sections := map[string]string{}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		heading, text, _ := strings.Cut(section, "\n")
		sections[strings.ToLower(heading)] = text
	}
	rules, _ := alertRules(t)
	for _, r := range rules {
		anchor := strings.ToLower(r.Alert)
		wantURL := "https://github.com/claimbridge/claimbridge/blob/main/docs/alerts.md#" + anchor
		if got := r.Annotations["runbook_url"]; got != wantURL {
			t.Errorf("%s: got runbook_url %s, want %s", r.Alert, got, wantURL)
			continue
		}
		section, exists := sections[anchor]
		if !exists {
			t.Errorf("docs/alerts.md has no section for %s", r.Alert)
			continue
		}
		delete(sections, anchor)
		delay := "for " + r.For
		if r.For == "" {
			delay = "fires immediately"
		}
		if want := "\n**" + r.Labels["severity"] + "**, " + delay + "."; !strings.Contains(section, want) {
			t.Errorf("docs/alerts.md: the section for %s does not contain %q", r.Alert, want)
		}
	}
	for heading := range sections {
		if strings.HasPrefix(heading, "claimbridge") {
			t.Errorf("docs/alerts.md has a section for %s, which is not an alert", heading)
		}
	}
}

// Each alert is expected by a test that causes it.
func TestEveryAlertIsTested(t *testing.T) {
	sources := string(must.Get(os.ReadFile("webhook_faults_test.go"))(t)) +
		string(must.Get(os.ReadFile("cluster_faults_test.go"))(t))
	rules, _ := alertRules(t)
	for _, r := range rules {
		if !strings.Contains(sources, `"`+r.Alert+`"`) {
			t.Errorf("no test causes %s", r.Alert)
		}
	}
}
