package migrate

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// namespace notes one that allows adminAccess by its label, and gives the label the name that the
// target knows, where it has only the other one: that means nothing there.
func (o *other) namespace() (allows bool) {
	wanted := release.AdminLabels(o.To)
	if o.header.APIVersion() != "v1" || o.header.Kind != "Namespace" || len(wanted) == 0 {
		return false
	}
	labels := o.root.member("metadata", "labels")
	is := func(name string) bool { return labels.textOf(name) == "true" }
	if !slices.ContainsFunc(wanted, is) {
		former := release.FormerAdminLabel(wanted[0])
		if !is(former) || labels.member(wanted[0]) != nil {
			return false
		}
		members, _, err := objectjson.Members(o.object[labels.begin:labels.end])
		if err != nil { // there are more than any object has
			return false
		}
		members[objectjson.Find(members, former)].Name = wanted[0]
		o.change(labels, yamldoc.AppendObject(nil, members),
			problems.At(finding.AdminAccess, labels.path(),
				"has "+former+" for adminAccess, and it is written as "+wanted[0]))
	}
	o.compared.add(labeled, one{at: o.at, Header: o.header})
	return true
}

// adminAccess advises on claims whose namespace is not in the input with the label that it needs. A
// claim that names none may be in any of those in its file.
func (c *compared) adminAccess(to release.Target, p *problems.Log) {
	for _, claim := range c[admins].all {
		if !slices.ContainsFunc(c[labeled].all, func(n one) bool {
			return n.Name == claim.Namespace || claim.Namespace == "" && n.at.File == claim.at.File
		}) {
			p.Advise(claim.at, claim.Header, problems.What{
				Rule: finding.AdminAccess,
				Text: "adminAccess is true, for which the namespace needs the label " +
					strings.Join(release.AdminLabels(to), `: "true", in 1.33 `) + `: "true"`,
			})
		}
	}
}
