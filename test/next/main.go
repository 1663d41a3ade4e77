// Command next [FROM TO] prints what changes for claims between two releases of Kubernetes, and the row of a table for
// each change. It reads the modules of the releases, including pre-releases, from the module proxy. By default, the
// releases are the newest one and the next one, and the recorded changes must be equal: newer modules are an error.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

func run(arguments []string) error {
	switch len(arguments) {
	case 0:
		from, to := defaultReleases()
		report, err := compare(from, to)
		if err != nil {
			return err
		}
		fmt.Print(report)
		return compareWithRecorded(report, from, to)
	case 2:
		from, to := arguments[0], arguments[1]
		if api.Minor(from) == 0 || api.Minor(to) == 0 {
			return fmt.Errorf("%q are not releases: write them like 1.37 1.38", arguments)
		}
		report, err := compare(from, to)
		fmt.Print(report)
		return err
	}
	return fmt.Errorf("%d arguments: name two releases, like 1.37 1.38, or none", len(arguments))
}

// defaultReleases returns the newest published release, and the one after it.
func defaultReleases() (from, to string) {
	for _, r := range api.Releases() {
		if r.Provisional == "" {
			from = r.Name
		}
	}
	return from, fmt.Sprintf("1.%d", api.Minor(from)+1)
}

// compareWithRecorded returns an error if a report differs from the recorded one.
func compareWithRecorded(report, from, to string) error {
	file := fmt.Sprintf("test/next/testdata/%s-%s.md", from, to)
	recorded, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if string(recorded) != report {
		return fmt.Errorf("%s is out of date: replace it with the output of go run ./test/next %s %s, review the "+
			"changes, and add their rows", file, from, to)
	}
	return nil
}

// compare returns a table of the changes between two releases.
func compare(from, to string) (report string, err error) {
	var b strings.Builder
	before, err := readRelease(&b, from)
	if err != nil {
		return "", err
	}
	after, err := readRelease(&b, to)
	if err != nil {
		return "", err
	}
	b.WriteString("| what | before | after | row |\n|---|---|---|---|\n")
	for _, c := range changesBetween(before, after) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.fact, cmp.Or(c.before, "-"), cmp.Or(c.after, "-"),
			rowOf(c.fact, c.after, to))
	}
	b.WriteString(notCompared)
	return b.String(), nil
}

// change of a fact. A value is empty if the release does not have the fact.
type change struct{ fact, before, after string }

// changesBetween returns the changes of modules that both releases have, sorted by fact. A module that a release does
// not have is not published yet, so its missing facts are not changes.
func changesBetween(before, after map[string]facts) (changes []change) {
	oldFacts := facts{}
	newFacts := facts{}
	for module := range before {
		if after[module] != nil {
			maps.Copy(oldFacts, before[module])
			maps.Copy(newFacts, after[module])
		}
	}
	all := maps.Clone(oldFacts)
	maps.Copy(all, newFacts)
	for _, fact := range slices.Sorted(maps.Keys(all)) {
		if oldFacts[fact] != newFacts[fact] {
			changes = append(changes, change{fact, oldFacts[fact], newFacts[fact]})
		}
	}
	return changes
}

// facts about a release: values by kind and name, such as "field v1 ResourceClaim.spec".
type facts map[string]string

// modules have the code that defines, validates and stores claims.
var modules = []struct {
	path, versionPrefix string
	// addFacts adds the facts of files of a module.
	addFacts func(f facts, files map[string][]byte, release string) error
}{
	{"k8s.io/api", "v0.", facts.addTypes},
	{"k8s.io/apimachinery", "v0.", facts.addFormats},
	{"k8s.io/kubernetes", "v1.", facts.addGatesAndFunctions},
	{"k8s.io/apiserver", "v0.", facts.addExpressions},
	{"k8s.io/dynamic-resource-allocation", "v0.", facts.addExpressions},
}

// readRelease returns the facts of a release by module, and writes the versions of the modules to a report. A module
// that is not published yet has no entry.
func readRelease(report *strings.Builder, release string) (map[string]facts, error) {
	byModule := map[string]facts{}
	var versions []string
	for _, m := range modules {
		version, err := newestVersion(m.path, fmt.Sprintf("%s%d.", m.versionPrefix, api.Minor(release)))
		if err != nil {
			return nil, err
		}
		if version == "" {
			versions = append(versions, m.path+notPublished)
			continue
		}
		versions = append(versions, m.path+" "+version)
		files, err := download(m.path, version)
		if err != nil {
			return nil, err
		}
		byModule[m.path] = facts{}
		if err := m.addFacts(byModule[m.path], files, release); err != nil {
			return nil, fmt.Errorf("%s %s: %w", m.path, version, err)
		}
	}
	fmt.Fprintf(report, "Kubernetes %s: %s\n\n", release, strings.Join(versions, ", "))
	return byModule, nil
}

// notPublished follows the path of a module in a report.
const notPublished = " is not published yet"
