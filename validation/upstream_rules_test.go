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
	update   = flag.Bool("update", false, "write the rules into the page anew")
	ownTable = regexp.MustCompile(`(?s)(\| rule \| what it wants \|\n\|---\|---\|\n).*?\n\n`)
	checkRow = regexp.MustCompile(`(?m)^\| ([A-Z]+\d+)( \|.*\|) [^|]*\|$`)
)

// The page of upstream's checks says what there is to refuse: each number in a table of the page,
// by release, is named by a rule, which stands beside it, but for those of the last section, which
// are not refused and which no rule names. Ours stand first.
func TestRulesNameEveryCheckOnThePageOfUpstreamsRules(t *testing.T) {
	page, err := os.ReadFile("../docs/upstream-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	refused, passed, found := strings.Cut(string(page), "\n## What is not refused\n")
	if !found {
		t.Fatal("the page has no section of what is not refused")
	}
	of := map[string][]string{}
	link := func(r Rule) string { return fmt.Sprintf("[%s](../validation/testdata/%[1]s)", r.Name) }
	checks, legal := numbers(t, refused), numbers(t, passed)
	for _, version := range api.Names() {
		for _, release := range Releases(version) {
			if len(checks[release]) == 0 {
				t.Errorf("the page has no check of Kubernetes %s: rows that say to an earlier release hold for it too",
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
					t.Errorf("a rule names %s of Kubernetes %s, which is not refused as the page has it", number,
						release)
				}
			}
		}
	}
	var own strings.Builder
	for _, r := range Listing() {
		if r.Source == "claimbridge" {
			fmt.Fprintf(&own, "| %s | %s |\n", link(r.Rule), r.Reason)
		}
	}
	want := ownTable.ReplaceAllString(refused, "${1}"+own.String()+"\n")
	want = checkRow.ReplaceAllStringFunc(want, func(row string) string {
		m := checkRow.FindStringSubmatch(row)
		return "| " + m[1] + m[2] + " " + strings.Join(slices.Sorted(slices.Values(of[m[1]])), ", ") + " |"
	})
	if *update {
		err = os.WriteFile("../docs/upstream-rules.md", []byte(want+"\n## What is not refused\n"+passed), 0o644)
	} else if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("docs/upstream-rules.md, write it anew with go test ./validation -run TestRulesName -update (-want "+
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
		if !row || strings.ToUpper(number) != number { // a heading, or one of ours
			continue
		}
		for _, release := range expandReleases(cells[1]) {
			if slices.Contains(byRelease[release], number) {
				t.Errorf("%s of Kubernetes %s is there twice", number, release)
			}
			byRelease[release] = append(byRelease[release], number)
		}
	}
	for _, list := range byRelease {
		slices.Sort(list)
	}
	return byRelease
}
