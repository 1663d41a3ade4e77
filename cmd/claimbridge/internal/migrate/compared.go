package migrate

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// maxCompared limits the objects of each sort; each costs some 300 bytes until the end of the input.
const maxCompared = 10_000

// compared holds the objects that are compared with others after all input is read.
type compared [sorts]struct {
	all     []one
	ignored int
}

// sorts of objects that are compared.
const (
	admins           = iota // claims with adminAccess
	labeled                 // namespaces that allow it
	objects                 // of files, by which a name may be there twice
	kustomizations          // of files
	versionSelectors        // rules and targets of patches that match objects of other versions only
	sorts
)

type one struct {
	at yamldoc.Position
	conversion.Header
	selector *versionSelector // nil but for versionSelectors
}

// versionSelector matches objects in some versions alone: a rule of a webhook or policy with matchPolicy: Exact, or the
// target of a patch that has a version and no kind.
type versionSelector struct {
	what     problems.What
	versions []string
	// mayBeForOthers means that it names no group: it is reported only if objects that it matches are converted.
	mayBeForOthers bool
}

func (c *compared) add(sort int, o one) {
	if len(c[sort].all) == maxCompared {
		c[sort].ignored++
		return
	}
	c[sort].all = append(c[sort].all, o)
}

func (c *compared) take(from *compared) {
	for sort := range from {
		for _, o := range from[sort].all {
			c.add(sort, o)
		}
		c[sort].ignored += from[sort].ignored
	}
}

// advise reports objects that became the same one, and claims whose namespace lacks the label for adminAccess.
func (c *compared) advise(target release.Target, p *problems.Log) {
	p.Locate = nil
	c.adminAccess(target, p)
	c.sameObjects(target.Version, p)
	for _, tooMany := range []struct {
		what string
		a, b int
	}{
		{"claims, classes and kustomizations in files", objects, kustomizations},
		{"claims that ask for adminAccess, or namespaces that allow it", admins, labeled},
		{"rules and targets of patches that match some versions alone", versionSelectors, versionSelectors},
	} {
		ignored := c[tooMany.a].ignored
		if tooMany.b != tooMany.a {
			ignored += c[tooMany.b].ignored
		}
		if ignored > 0 {
			p.Text(finding.Place{}, problems.What{Rule: finding.TooManyToCompare, Text: fmt.Sprintf(
				"there are more than %d %s, %d of them were not compared", maxCompared, tooMany.what, ignored)})
		}
	}
}

// reportVersionSelectors reports rules and targets that match objects in other versions alone. If objects of such a
// version are converted, they no longer match them, which is an error.
func (t *told) reportVersionSelectors() {
	t.log.Locate = nil
	for _, found := range t.compared[versionSelectors].all {
		what := found.selector.what
		isConverted := slices.ContainsFunc(found.selector.versions, func(name string) bool { return t.from[name] })
		switch {
		case isConverted:
			what.Text += "; objects of this version are converted, and it would no longer match them: change it by hand"
			t.log.Refuse(found.at, found.Header, []problems.What{what})
		case !found.selector.mayBeForOthers:
			t.log.Advise(found.at, found.Header, what)
		}
	}
}
