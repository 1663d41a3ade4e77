package chain

import (
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
)

// Chain is the links from the oldest version to the newest: each joins the version of its index with the next one.
type Chain []Link

// New makes a claim of the version of an index, to be read into.
func (links Chain) New(version int, f Form) Claim {
	if version == len(links) {
		return links[version-1].NewNew(f)
	}
	return links[version].NewOld(f)
}

// Stored is the index of the version in which objects are stored. One that is newer can say what it says, and no more.
func (links Chain) Stored() int {
	return slices.IndexFunc(links, func(l Link) bool { return l.New == stored }) + 1
}

var stored = api.Stored().Name

// whole reports whether a version can say all that the stored one can: nothing travels beside it.
func (links Chain) whole(version int) bool {
	storage := links.Stored()
	return !slices.ContainsFunc(links[min(version, storage):max(version, storage)], func(l Link) bool { return !l.native })
}

// bare converts what a claim itself says. Of files, which nobody has judged, what would not come back is refused; lost are fields that have
// no home in a version.
func (links Chain) bare(c Claim, from, to int, files bool) (_ Claim, lost []string, err error) {
	for _, l := range links[from:max(from, to)] {
		if l.lost != nil {
			lost = append(lost, l.lost(c)...)
		}
		if l.refuseOld != nil && files {
			if err := l.refuseOld(c); err != nil {
				return nil, lost, err
			}
		}
		c = l.up(c)
	}
	for at := from - 1; at >= to; at-- {
		if refuse := links[at].refuseNew; refuse != nil && files {
			if err := refuse(c); err != nil {
				return nil, lost, err
			}
		}
		c = links[at].down(c)
	}
	return c, lost, nil
}

// Inspect finds entries of ours that are malformed or out of place in a claim of the stored version which came from another
// one: each step looks at its own in its newer version, as far as the claim could bring some. A claim brings entries of the step above
// its version, too, which stand there beside the one that the step makes.
func (links Chain) Inspect(c Claim, from int) (findings []leftover.Finding) {
	oldest := slices.IndexFunc(links, func(l Link) bool { return l.inspect != nil })
	for i := links.Stored() - 1; i >= oldest && oldest <= from; i-- {
		if links[i].inspect != nil && i <= from {
			findings = append(findings, links[i].inspect(c, i == from)...)
		}
		if i > oldest {
			c = links[i].down(c)
		}
	}
	return findings
}
