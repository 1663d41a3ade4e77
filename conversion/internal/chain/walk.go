package chain

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
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

// whole reports whether a version can say all that the newest one can: nothing is left over of it.
func (links Chain) whole(version int) bool {
	for _, l := range links[version:] {
		if !l.native {
			return false
		}
	}
	return true
}

// field is status.claimbridgeLeftover. A version that can say all has none.
func (links Chain) field(version int, c Claim) *string {
	if links.whole(version) {
		return nil
	}
	return links[version].field(c)
}

func keys(links []Link) (keys []leftover.Key) {
	for _, l := range links {
		if !l.native {
			keys = append(keys, l.Key)
		}
	}
	return keys
}

// Options of a walk.
type Options struct {
	// AnnotationsOnly keeps status leftovers out of status.claimbridgeLeftover: it is for files, which nobody has judged. What
	// would not come back of them is refused; what is stored has to be readable.
	AnnotationsOnly bool
	// Bare claims have nothing beside them, and get nothing.
	Bare bool
	// Refused claims are walked to the end all the same, to see what travels beside them.
	Refused bool
}

// Walked is what a walk says beside the claim.
type Walked struct {
	// Lost fields that have no home in a version.
	Lost []string
	// Ignored are entries of ours that say nothing, as they are of something else.
	Ignored []leftover.Ignored
	// Incomplete is what the copy lacks of its leftovers.
	Incomplete string
}

// Inspect finds entries of ours that are malformed or out of place in a claim of the newest version which came from another
// one: each step looks at its own in its newer version, as far as the claim could bring some. A claim brings entries of the step above
// its version, too, which stand there beside the one that the step makes.
func (links Chain) Inspect(c Claim, from int) (findings []leftover.Finding) {
	travelling := &leftover.Leftovers{Meta: &kjson.Metadata{}}
	oldest := slices.IndexFunc(links, func(l Link) bool { return l.Inspect != nil })
	for i := len(links) - 1; oldest >= 0 && oldest <= from; i-- {
		if links[i].Inspect != nil && i <= from {
			findings = append(findings, links[i].Inspect(c)...)
		}
		if i == oldest {
			break
		}
		c = links[i].down(c, travelling)
	}
	return findings
}

// walkEarlier converts a claim with what travels beside it as releases up to 0.2 wrote it: what each step left over.
func (links Chain) walkEarlier(c Claim, from, to int, travelling *leftover.Leftovers, o Options) (_ Claim, walked Walked, refused error) {
	if o.Bare {
		return links.walkBare(c, from, to, o)
	}
	protected := c.IsComplete() && !o.AnnotationsOnly
	travelling.OpenField(links.field(from, c))
	travelling.TakeIncomplete()
	if from < to {
		spec, status := c.Parts()
		if refused = travelling.RefuseIncomplete(spec != nil, status != nil, links.field(from, c) != nil); refused != nil && !o.Refused {
			return nil, walked, refused
		}
		for _, l := range links[from:to] {
			walked.Lost = append(walked.Lost, l.lost(c)...)
			if l.refuseOld != nil && o.AnnotationsOnly {
				if err := l.refuseOld(c); err != nil {
					return nil, walked, err
				}
			}
			c = l.up(c, travelling)
		}
		if refused = cmp.Or(refused, travelling.RefuseUnusable(links.whole(to))); refused != nil && !o.Refused {
			return nil, walked, refused
		}
		if protected {
			travelling.Protect(keys(links[to:]))
		}
	} else {
		if links.whole(from) {
			travelling.Stored()
		}
		if protected {
			travelling.Protect(keys(links[from:]))
		}
		for i := from - 1; i >= to; i-- {
			if refuse := links[i].refuseNew; refuse != nil && o.AnnotationsOnly {
				if err := refuse(c); err != nil {
					return nil, walked, err
				}
			}
			c = links[i].down(c, travelling)
		}
	}
	if links.whole(to) {
		travelling.Sweep()
	}
	if refused == nil {
		travelling.CloseField(links.field(to, c))
		walked.Incomplete = travelling.PutIncomplete()
	}
	return c, walked, refused
}
