//go:build e2e

package alerts

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// promtool reads the rules and the templates of their annotations.
func TestRulesAreWellFormed(t *testing.T) {
	all, file := rules(t)
	if output, ok := promtool(t, "check", "rules", "--lint=all", "--lint-fatal", file); !ok {
		t.Errorf("promtool check rules:\n%s", output)
	}
	names := map[string]bool{}
	for _, r := range all {
		if names[r.Alert] {
			t.Errorf("duplicate %s", r.Alert)
		}
		names[r.Alert] = true
		if severity := r.Labels["severity"]; severity != "critical" && severity != "warning" && severity != "info" {
			t.Errorf("%s: severity %q", r.Alert, severity)
		}
		for _, name := range []string{"summary", "description", "runbook_url"} {
			if r.Annotations[name] == "" {
				t.Errorf("%s has no %s", r.Alert, name)
			}
		}
	}
	if len(all) < 14 {
		t.Errorf("there are %d alerts", len(all))
	}
}

// Each alert has a heading on the page with its severity and its delay, and no heading belongs to a removed alert.
func TestRunbooksExist(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/alerts.md"))(t)
	chapters := map[string]string{}
	for _, chapter := range strings.Split(string(page), "\n## ")[1:] {
		name, text, _ := strings.Cut(chapter, "\n")
		chapters[strings.ToLower(name)] = text
	}
	all, _ := rules(t)
	for _, r := range all {
		anchor, ok := strings.CutPrefix(r.Annotations["runbook_url"],
			"https://github.com/claimbridge/claimbridge/blob/main/docs/alerts.md#")
		chapter, exists := chapters[anchor]
		if !ok || !exists || anchor != strings.ToLower(r.Alert) {
			t.Errorf("%s: its runbook is at %s, and the page has no such heading", r.Alert,
				r.Annotations["runbook_url"])
			continue
		}
		delete(chapters, anchor)
		waits := "for " + r.For
		if r.For == "" {
			waits = "immediately"
		}
		if first := "\n**" + r.Labels["severity"] + "**, " + waits + "."; !strings.Contains(chapter, first) {
			t.Errorf("%s: the page does not say%s", r.Alert, first)
		}
	}
	for name := range chapters {
		if strings.HasPrefix(name, "claimbridge") {
			t.Errorf("the page has %s, which is no alert", name)
		}
	}
}

// A test causes each alert.
func TestEveryAlertIsProvoked(t *testing.T) {
	sources := string(must.Get(os.ReadFile("webhook_faults_test.go"))(t)) +
		string(must.Get(os.ReadFile("cluster_faults_test.go"))(t))
	all, _ := rules(t)
	for _, r := range all {
		if !strings.Contains(sources, `"`+r.Alert+`"`) {
			t.Errorf("no test provokes %s", r.Alert)
		}
	}
}
