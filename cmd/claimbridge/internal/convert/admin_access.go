package convert

import (
	"bytes"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// adminAccess notes a claim that asks for it, converted or right already: its namespace may stand anywhere in the input. Parameters of a driver that look so
// are taken for one.
func (p *part) adminAccess(at manifest.Position, raw, converted []byte) {
	if bytes.Contains(converted, []byte(`"adminAccess":true`)) && len(release.AdminLabels(p.target)) > 0 {
		header, _ := conversion.ReadHeader(raw) // it was converted, so it can be read
		p.compared.admins.add(one{at: at, Header: header})
	}
}

// namespace notes one that has the label for adminAccess, and gives the label the name that the target knows, where it has only the other one:
// that means nothing there.
func (p *part) namespace(at manifest.Position, h conversion.Header, object []byte) (changes []change, done []problems.What) {
	wanted, labels := release.AdminLabels(p.target), treeOf(object).member("metadata", "labels")
	if h.APIVersion() != "v1" || h.Kind != "Namespace" || len(wanted) == 0 || labels == nil {
		return nil, nil
	}
	is := func(name string) bool { return labels.textOf(name) == "true" }
	former := release.FormerAdminLabel(wanted[0])
	if !slices.ContainsFunc(wanted, is) {
		if !is(former) || labels.member(wanted[0]) != nil {
			return nil, nil
		}
		members, _, _ := kjson.Members(object[labels.begin:labels.end]) // it was read before
		for i := range members {
			if members[i].Name == former {
				members[i].Name = wanted[0]
			}
		}
		changes = []change{{labels.begin, labels.end, manifest.AppendObject(nil, members)}}
		done = []problems.What{problems.At(finding.AdminAccess, labels.path, "has "+former+" for adminAccess, and it is written as "+wanted[0])}
	}
	p.compared.labelled.add(one{at: at, Header: h})
	return changes, done
}

// adminAccess advises on claims whose namespace is not in the input with the label that it needs. A claim that names none may be in any of
// those in its file.
func (c *compared) adminAccess(to release.Target, p *problems.Log) {
	for _, claim := range c.admins.all {
		if slices.ContainsFunc(c.labelled.all, func(n one) bool {
			return n.Name == claim.Namespace || claim.Namespace == "" && n.at.File == claim.at.File
		}) {
			continue
		}
		p.Advise(claim.at, claim.Header, problems.What{Rule: finding.AdminAccess, Text: "adminAccess is true, for which the namespace needs the label " +
			strings.Join(release.AdminLabels(to), `: "true", in 1.33 `) + `: "true"`})
	}
}
