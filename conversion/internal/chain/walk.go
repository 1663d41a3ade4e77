package chain

import (
	"cmp"

	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
)

// Chain is the links from the oldest version to the newest: each joins the version of its index with the next one.
type Chain []Link

// New makes a claim of the version of an index, to be read into.
func (links Chain) New(version int, complete bool) Claim {
	if version == len(links) {
		return links[version-1].NewNew(complete)
	}
	return links[version].NewOld(complete)
}

// field is status.claimbridgeLeftover. The newest version has none: nothing is left over of it where it is stored.
func (links Chain) field(version int, c Claim) *string {
	if version == len(links) {
		return nil
	}
	return links[version].field(c)
}

func keys(links []Link) []leftover.Key {
	keys := make([]leftover.Key, len(links))
	for i, l := range links {
		keys[i] = l.Key
	}
	return keys
}

// Options of a walk.
type Options struct {
	// AnnotationsOnly keeps status leftovers out of status.claimbridgeLeftover.
	AnnotationsOnly bool
	// Refused claims are walked to the end all the same, to see what travels beside them.
	Refused bool
}

// Walked is what a walk says beside the claim.
type Walked struct {
	// Lost fields that have no home in a version.
	Lost []string
	// Incomplete is what the copy lacks of its leftovers.
	Incomplete string
}

// Walk converts a claim from the version of one index to that of another one.
func (links Chain) Walk(c Claim, from, to int, travelling *leftover.Leftovers, o Options) (_ Claim, walked Walked, refused error) {
	protected := c.IsComplete() && !o.AnnotationsOnly
	travelling.OpenField(links.field(from, c))
	travelling.TakeIncomplete()
	if from < to {
		spec, _ := c.Parts()
		if refused = travelling.RefuseIncomplete(spec != nil, links.field(from, c) != nil); refused != nil && !o.Refused {
			return nil, walked, refused
		}
		for _, l := range links[from:to] {
			walked.Lost = append(walked.Lost, l.lost(c)...)
			c = l.up(c, travelling)
		}
		if refused = cmp.Or(refused, travelling.RefuseUnusable(to == len(links))); refused != nil && !o.Refused {
			return nil, walked, refused
		}
		if protected {
			travelling.Protect(keys(links[to:]))
		}
	} else {
		if from == len(links) {
			travelling.Stored()
		}
		if protected {
			travelling.Protect(keys(links[from:]))
		}
		for i := from - 1; i >= to; i-- {
			c = links[i].down(c, travelling)
		}
	}
	if to == len(links) {
		travelling.Sweep()
	}
	if refused == nil {
		travelling.CloseField(links.field(to, c))
		walked.Incomplete = travelling.PutIncomplete()
	}
	return c, walked, refused
}
