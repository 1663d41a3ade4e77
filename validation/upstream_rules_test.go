package validation

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
)

var (
	update   = flag.Bool("update", false, "write the rules to the page")
	ownTable = regexp.MustCompile(`(?s)(\| rule \| reason \|\n\|---\|---\|\n).*?\n\n`)
	checkRow = regexp.MustCompile(`(?m)^\| ([A-Z]+\d+)( \|.*\|) [^|]*\|$`)
)

// TestRulesNameEveryCheckOfThePage: each number in a table of the page of upstream's checks is in the source of a rule
// in the same releases, and its row links to the rule. No rule names a number of the last section, about what is not
// rejected. The first table has claimbridge's own rules.
func TestRulesNameEveryCheckOfThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/upstream-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rejected, accepted, found := strings.Cut(string(page), "\n## What is not rejected\n")
	if !found {
		t.Fatal("the page has no section of what is not rejected")
	}
	of := map[string][]string{}
	link := func(r Rule) string { return fmt.Sprintf("[%s](../validation/examples/%[1]s)", r.Name) }
	checks, legal := numbers(t, rejected), numbers(t, accepted)
	for _, version := range api.Names() {
		for _, release := range Releases(version) {
			if len(checks[release]) == 0 {
				t.Errorf("the page has no check of Kubernetes %s: rows that end at an earlier release may also apply to it",
					release)
			}
			named := map[string]bool{}
			for _, r := range Rules(version, release) {
				for _, number := range r.checks()[release] {
					named[number] = true
					if !slices.Contains(of[number], link(r)) {
						of[number] = append(of[number], link(r))
					}
				}
			}
			if diff := cmp.Diff(checks[release], slices.Sorted(maps.Keys(named))); diff != "" {
				t.Errorf("checks of Kubernetes %s (-on docs/upstream-rules.md +named by rules):\n%s", release, diff)
			}
			for _, number := range legal[release] {
				if named[number] {
					t.Errorf("a rule names %s of Kubernetes %s, which is not rejected according to the page", number,
						release)
				}
			}
		}
	}
	var own strings.Builder
	for _, r := range RuleVersions() {
		if r.Source == "claimbridge" {
			fmt.Fprintf(&own, "| %s | %s |\n", link(r.Rule), r.Reason)
		}
	}
	want := ownTable.ReplaceAllString(rejected, "${1}"+own.String()+"\n")
	want = checkRow.ReplaceAllStringFunc(want, func(row string) string {
		m := checkRow.FindStringSubmatch(row)
		return "| " + m[1] + m[2] + " " + strings.Join(slices.Sorted(slices.Values(of[m[1]])), ", ") + " |"
	})
	if *update {
		err = os.WriteFile("../docs/upstream-rules.md", []byte(want+"\n## What is not rejected\n"+accepted), 0o644)
	} else if diff := cmp.Diff(want, rejected); diff != "" {
		t.Errorf("docs/upstream-rules.md, write it with go test ./validation -run TestRulesName -update (-want "+
			"+got):\n%s",
			diff)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// numbers of checks in the tables of a page, sorted, by release.
func numbers(t *testing.T, page string) map[string][]string {
	t.Helper()
	byRelease := map[string][]string{}
	for line := range strings.Lines(page) {
		cells := strings.Split(line, " | ")
		number, row := strings.CutPrefix(cells[0], "| ")
		if !row || strings.ToUpper(number) != number { // a heading, or a rule of claimbridge
			continue
		}
		for _, release := range expandReleases(cells[1]) {
			if slices.Contains(byRelease[release], number) {
				t.Errorf("%s of Kubernetes %s is a duplicate", number, release)
			}
			byRelease[release] = append(byRelease[release], number)
		}
	}
	for _, list := range byRelease {
		slices.Sort(list)
	}
	return byRelease
}
