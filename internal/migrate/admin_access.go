package migrate

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// namespace notes a namespace that allows adminAccess by its label. If it has only the label of other releases, which
// means nothing to the target, the label gets the name that the target knows.
func (o *related) namespace() (allows bool) {
	labelNames := release.AdminLabels(o.To)
	if o.header.APIVersion() != "v1" || o.header.Kind != "Namespace" || len(labelNames) == 0 {
		return false
	}
	labels := o.root.member("metadata", "labels")
	isSet := func(name string) bool { return labels.textOf(name) == "true" }
	if !slices.ContainsFunc(labelNames, isSet) {
		former := release.OtherAdminLabel(labelNames[0])
		if !isSet(former) || labels.member(labelNames[0]) != nil {
			return false
		}
		members, _, err := objectjson.Members(o.object[labels.begin:labels.end])
		if err != nil { // there are more than any object has
			return false
		}
		members[objectjson.Find(members, former)].Name = labelNames[0]
		o.fixed(labels, yamldoc.AppendObject(nil, members), findings.AdminAccess, labels.path(),
			"has "+former+" for adminAccess, and it is written as "+labelNames[0])
	}
	o.result.Facts.add(labeledNamespaces, fact{subject: o.about()})
	return true
}

// missingAdminLabels returns warnings about claims whose namespace is not in the input with the label that it needs. A
// claim without a namespace may be in any namespace in its file.
func (f *Facts) missingAdminLabels(to release.Target) (all []findings.Finding) {
	for _, claim := range f.byKind[adminClaims].all {
		header, file := claim.subject.Header, claim.subject.Position.File
		isLabeled := func(namespace fact) bool {
			return namespace.subject.Header.Name == header.Namespace ||
				header.Namespace == "" && namespace.subject.Position.File == file
		}
		if !slices.ContainsFunc(f.byKind[labeledNamespaces].all, isLabeled) {
			all = append(all, claim.subject.New(findings.Warning, findings.AdminAccess, "",
				"adminAccess is true, for which the namespace needs the label "+
					strings.Join(release.AdminLabels(to), `: "true", in 1.33 `)+`: "true"`))
		}
	}
	return all
}
