// Package chain walks a claim from one version to another one, step by step. Versions stand in a
// line, and a step joins two neighbours; there is no hub. What a step is made of is in packages of
// their own, one for each version but the first.
package chain

import (
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Chain is the steps from the oldest version to the newest: each joins the version of its index with the next one.
type Chain []Step

// Parts of the version of an index.
func (links Chain) Parts(version int) Parts {
	if version == len(links) {
		return links[version-1].NewParts
	}
	return links[version].OldParts
}

// Read the spec and the status of a claim of the version of an index, into a room, if one is given;
// what is empty or null is absent. Unknown fields are returned with their paths.
func (links Chain) Read(version int, f Form, spec, status []byte,
	room *kjson.Room,
) (c Claim, unknown []string, err error) {
	return links.Parts(version).read(f, spec, status, room)
}

func (p Parts) read(f Form, spec, status []byte, room *kjson.Room) (c Claim, unknown []string, err error) {
	c.Form = f
	if c.Spec, unknown, err = read("spec", spec, p.Spec, room); err != nil {
		return c, nil, err
	}
	var more []string
	c.Status, more, err = read("status", status, p.Status, room)
	return c, append(unknown, more...), err
}

// read a part, unless there is nothing to read.
func read(name string, data []byte, made func(*kjson.Room) any,
	room *kjson.Room,
) (part any, unknown []string, err error) {
	if len(data) == 0 || string(data) == "null" {
		return nil, nil, nil
	}
	part = made(room)
	unknown, err = kjson.Read(data, part, room)
	for i := range unknown {
		unknown[i] = kjson.JoinPath(name, unknown[i])
	}
	return part, unknown, kjson.Within(name, err)
}

// Stored is the index of the version in which objects are stored. One that is newer can say what it says, and no more.
func (links Chain) Stored() int {
	return slices.IndexFunc(links, func(s Step) bool { return s.New == stored }) + 1
}

var stored = api.Stored().Name

// whole reports whether a version can say all that the stored one can: nothing travels beside it.
func (links Chain) whole(version int) bool {
	storage := links.Stored()
	return !slices.ContainsFunc(links[min(version, storage):max(version, storage)], func(s Step) bool {
		return s.Mark != nil
	})
}

// bare converts what a claim itself says. Of files, which nobody has judged, what would not come
// back is refused; lost are fields that have no home in a version.
func (links Chain) bare(c Claim, from, to int, files bool) (_ Claim, lost []string, err error) {
	for at := from; at < to; at++ {
		s := &links[at]
		if s.Lost != nil {
			lost = append(lost, s.Lost(c)...)
		}
		if s.RefuseOld != nil && files {
			if err := s.RefuseOld(c); err != nil {
				return c, lost, err
			}
		}
		c = s.Up(c)
	}
	for at := from - 1; at >= to; at-- {
		if refuse := links[at].RefuseNew; refuse != nil && files {
			if err := refuse(c); err != nil {
				return c, lost, err
			}
		}
		c = links[at].Down(c.For(""))
	}
	return c, lost, nil
}

// Inspect finds entries of claimbridge that are malformed or out of place in a claim of the stored version
// which came from another one: each step looks at its own in its newer version, as far as the claim
// could bring some. A claim brings entries of the step above its version, too, which stand there
// beside the one that the step makes.
func (links Chain) Inspect(c Claim, from int) (findings []leftover.Finding) {
	oldest := slices.IndexFunc(links, func(s Step) bool { return s.Inspect != nil })
	for i := links.Stored() - 1; i >= oldest && oldest <= from; i-- {
		if links[i].Inspect != nil && i <= from {
			findings = append(findings, links[i].Inspect(c, i == from)...)
		}
		if i > oldest {
			c = links[i].Down(c)
		}
	}
	return findings
}
