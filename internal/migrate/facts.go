package migrate

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/release"
)

// maxCompared limits the facts of each kind, which are in memory until the end of the input. A fact needs about 300
// bytes.
const maxCompared = 10_000

// Facts are facts about objects that are compared with each other after all input is read. For example, a claim with
// adminAccess needs a label on its namespace, which may follow in another file.
type Facts struct {
	byKind   [kindCount]factList
	versions []string // from which claims, classes and slices were converted
}

// factList has the facts of a kind, up to maxCompared.
type factList struct {
	all     []fact
	ignored int // further facts, only counted
}

// Kinds of facts.
const (
	kindAdminClaims       = iota // claims with adminAccess
	kindLabeledNamespaces        // namespaces that allow adminAccess
	kindObjectsInFiles           // claims and classes, of which two may become the same object
	kindKustomizations           // in files
	kindVersionSelectors         // rules and targets of patches that match objects of other versions only
	kindCount
)

// fact is a fact about an object.
type fact struct {
	subject  findings.Subject
	selector *versionSelector // nil except for kindVersionSelectors
}

// versionSelector matches objects only in some versions: a rule of a webhook or policy with matchPolicy: Exact, or a
// selector of kustomize that has a version, but neither group nor kind.
type versionSelector struct {
	field, message string
	line           int // of the field, or 0
	versions       []string
	// mayBeForOthers is set if the selector has neither group nor kind: it is reported only if objects that it matches
	// are converted.
	mayBeForOthers bool
}

func (f *Facts) add(kind int, fact fact) {
	fact.subject.Locate = nil // it would keep the document in memory
	list := &f.byKind[kind]
	if len(list.all) == maxCompared {
		list.ignored++
		return
	}
	list.all = append(list.all, fact)
}

// Add adds the facts of another part of the input.
func (f *Facts) Add(more Facts) {
	for kind := range more.byKind {
		for _, fact := range more.byKind[kind].all {
			f.add(kind, fact)
		}
		f.byKind[kind].ignored += more.byKind[kind].ignored
	}
	for _, version := range more.versions {
		f.recordVersion(version)
	}
}

// recordVersion records a version from which an object was converted.
func (f *Facts) recordVersion(version string) {
	if !slices.Contains(f.versions, version) {
		f.versions = append(f.versions, version)
	}
}

// Findings returns warnings about claims whose namespace lacks the label for adminAccess, findings about objects that
// became the same one, and findings about rules and targets that match objects only in other versions.
func (f *Facts) Findings(target release.Target) []findings.Finding {
	all := slices.Concat(f.missingAdminLabels(target), f.sameObjects(target.Version), f.versionSelectors())
	for _, limited := range []struct {
		name  string
		kinds []int
	}{
		{"claims, classes and kustomizations in files", []int{kindObjectsInFiles, kindKustomizations}},
		{"claims that ask for adminAccess, or namespaces that allow it", []int{kindAdminClaims, kindLabeledNamespaces}},
		{"rules and targets of patches that match only some versions", []int{kindVersionSelectors}},
	} {
		ignored := 0
		for _, kind := range limited.kinds {
			ignored += f.byKind[kind].ignored
		}
		if ignored > 0 {
			all = append(all, findings.Finding{
				Rule: findings.TooManyToCompare, Severity: findings.Warning, Message: fmt.Sprintf(
					"there are more than %d %s: %d were not compared", maxCompared, limited.name, ignored),
			})
		}
	}
	return all
}

// versionSelectors returns findings about rules and targets that match objects only in other versions. If objects of
// such a version are converted, the rule or target no longer matches them, which is an error.
func (f *Facts) versionSelectors() (all []findings.Finding) {
	for _, found := range f.byKind[kindVersionSelectors].all {
		selector := found.selector
		isConverted := slices.ContainsFunc(selector.versions, func(name string) bool {
			return slices.Contains(f.versions, name)
		})
		severity := findings.Warning
		message := selector.message
		if isConverted {
			severity = findings.Error
			message += "; these objects are converted to another version, and the selector would no longer match them: " +
				"change it by hand"
		}
		if isConverted || !selector.mayBeForOthers {
			all = append(all, found.subject.New(severity, findings.NamedVersion, selector.field, message).
				WithLine(selector.line))
		}
	}
	return all
}
