//go:build e2e

package alerts

import (
	"os"
	"regexp"
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
			t.Errorf("%s is there twice", r.Alert)
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

var heading = regexp.MustCompile(`(?m)^## (.+)$`)

// Each runbook is a heading of the page, with how grave it is and how long it waits, and no heading is of an alert that is gone.
func TestRunbooksExist(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/alerts.md"))(t)
	chapters := map[string]string{}
	found := heading.FindAllStringSubmatchIndex(string(page), -1)
	for i, at := range found {
		end := len(page)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		chapters[strings.ToLower(string(page[at[2]:at[3]]))] = string(page[at[1]:end])
	}
	all, _ := rules(t)
	for _, r := range all {
		anchor, ok := strings.CutPrefix(r.Annotations["runbook_url"], "https://github.com/claimbridge/claimbridge/blob/main/docs/alerts.md#")
		chapter, exists := chapters[anchor]
		if !ok || !exists || anchor != strings.ToLower(r.Alert) {
			t.Errorf("%s: its runbook is at %s, and the page has no such heading", r.Alert, r.Annotations["runbook_url"])
			continue
		}
		delete(chapters, anchor)
		waits := "for " + r.For
		if r.For == "" {
			waits = "at once"
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

// Every alert is provoked by some test: a new one without a fault is found here.
func TestEveryAlertIsProvoked(t *testing.T) {
	var sources strings.Builder
	for _, file := range []string{"webhook_faults_test.go", "cluster_faults_test.go"} {
		text := must.Get(os.ReadFile(file))(t)
		sources.Write(text)
	}
	all, _ := rules(t)
	for _, r := range all {
		if !strings.Contains(sources.String(), `"`+r.Alert+`"`) {
			t.Errorf("no test provokes %s", r.Alert)
		}
	}
}
