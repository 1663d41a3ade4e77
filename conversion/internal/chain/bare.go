package chain

import "github.com/claimbridge/claimbridge/conversion/internal/leftover"

// walkBare converts what the claim itself says. Each step has leftovers of its own that come from nowhere and go nowhere; what an
// object has in their places is not looked at, and status.claimbridgeLeftover stays behind.
func (links Chain) walkBare(c Claim, from, to int, o Options) (_ Claim, walked Walked, err error) {
	nothing := &leftover.Leftovers{Bare: true}
	for at := from; at < to; at++ {
		l := links[at]
		walked.Lost = append(walked.Lost, l.lost(c)...)
		if l.refuseOld != nil && o.AnnotationsOnly {
			if err := l.refuseOld(c); err != nil {
				return nil, walked, err
			}
		}
		c = l.up(c, nothing)
	}
	for at := from; at > to; at-- {
		if refuse := links[at-1].refuseNew; refuse != nil && o.AnnotationsOnly {
			if err := refuse(c); err != nil {
				return nil, walked, err
			}
		}
		c = links[at-1].down(c, nothing)
	}
	walked.Ignored = nothing.Ignored
	return c, walked, nil
}
