package migrate

import (
	"slices"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// adminLabels returns the labels of a namespace, and the names of the labels that allow adminAccess in the target. It
// returns no names for an object of another kind.
func (o *relatedObject) adminLabels() (labels *jsonNode, names []string) {
	if o.header.APIVersion() != "v1" || o.header.Kind != "Namespace" {
		return nil, nil
	}
	return o.root.member("metadata", "labels"), release.AdminLabels(o.To)
}

// convertAdminLabel renames the label of a namespace that allows adminAccess in other releases, and has no meaning in
// the target.
func (o *relatedObject) convertAdminLabel() {
	labels, names := o.adminLabels()
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return labels.textOf(name) == "true" }) {
		return
	}
	otherName, name := release.OtherAdminLabel(names[0]), names[0]
	if labels.textOf(otherName) != "true" || labels.member(name) != nil {
		return
	}
	members, _, err := objectjson.Members(o.object[labels.begin:labels.end])
	if err != nil { // the object has more than MaxMembers members
		return
	}
	members[objectjson.Find(members, otherName)].Name = name
	o.replaceAndReport(labels, yamldoc.AppendObject(nil, members), findings.AdminAccessNeedsLabel, labels.path(),
		otherName+" is renamed to "+name)
	o.hasAdminLabel = true
}

// allowsAdminAccess reports whether the object is a namespace whose label allows adminAccess in the target, possibly
// after its conversion.
func (o *relatedObject) allowsAdminAccess() bool {
	labels, names := o.adminLabels()
	return o.hasAdminLabel || slices.ContainsFunc(names, func(name string) bool { return labels.textOf(name) == "true" })
}

// missingAdminLabels returns warnings about claims whose namespace is not in the input with the label that it needs. A
// claim without a namespace may be in any namespace in its file.
func (f *Facts) missingAdminLabels(to release.Target) (all []findings.Finding) {
	for _, claim := range f.byKind[kindAdminClaims].all {
		header, file := claim.subject.Header, claim.subject.Position.File
		isLabeled := func(namespace fact) bool {
			return namespace.subject.Header.Name == header.Namespace ||
				header.Namespace == "" && namespace.subject.Position.File == file
		}
		if !slices.ContainsFunc(f.byKind[kindLabeledNamespaces].all, isLabeled) {
			message := release.AdminLabelMessage(release.AdminLabels(to))
			all = append(all, claim.subject.New(findings.Warning, findings.AdminAccessNeedsLabel, "", message))
		}
	}
	return all
}
