package convert

import (
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
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
	admins         = iota // claims with adminAccess
	labelled              // namespaces that allow it
	objects               // of files, by which a name may be there twice
	kustomizations        // of files
	sorts
)

type one struct {
	at manifest.Position
	conversion.Header
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
		{"claims that ask for adminAccess, or namespaces that allow it", admins, labelled},
	} {
		if ignored := c[tooMany.a].ignored + c[tooMany.b].ignored; ignored > 0 {
			p.Text(finding.Place{}, problems.What{Rule: finding.TooManyToCompare, Text: fmt.Sprintf(
				"there are more than %d %s, %d of them were not compared", maxCompared, tooMany.what, ignored)})
		}
	}
}
