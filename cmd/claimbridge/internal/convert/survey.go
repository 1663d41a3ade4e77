package convert

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/conversion"
)

// survey looks for what goes with claims in an object that is none: rights, webhooks, policies and patches, which are found by their
// shape, in whatever kind, and never changed: what they are to say is for a person to decide. Claims and classes that stand in it as
// objects are converted there.
func (o *other) survey() {
	o.root.walk(func(t *tree) (further bool) {
		switch apiVersion := t.textOf("apiVersion"); {
		case t.name == "x-kubernetes-group-version-kind": // a definition says what kinds there are
			return false
		case t != o.root && t.textOf("kind") != "" && strings.Contains(apiVersion, "/") && o.Groups.Names(apiVersion):
			o.inner(t) // it stands there, or is named
			return false
		}
		o.look(t)
		return true
	})
}

// look at a value: of an object or a list at what it is, of a text at what it says.
func (o *other) look(t *tree) {
	o.roles(t)
	o.admissionRules(t)
	switch {
	case t.name == "expression" || t.name == "messageExpression" || t.name == "valueExpression": // CEL
		if why := movedInExpression(t.text, o.to); why != "" && o.header.Group != api.Group {
			o.tell(finding.ExpressionOfMovedField, t, why)
		}
	case kyverno.MatchString(o.header.Group) && kindOf.MatchString(t.text):
		if version := kindOf.FindStringSubmatch(t.text)[1]; o.isOther(version) {
			o.tell(finding.KyvernoKind, t, fmt.Sprintf("names a kind of %s, and not of %s", version, o.to))
		}
	case o.isKustomizeFile() && isPatchText(t):
		o.patchText(t)
	case t.text != "":
		o.path(t)
		o.inText(t)
	default:
		o.selector(t)
		o.step(t)
		o.versions(t)
	}
}

// resources of resource.k8s.io that not all versions have: the oldest that has it, the newest if it is gone, and what to do where it is not.
var resources = map[string]struct{ first, last, instead string }{
	"podschedulings":          {"v1alpha1", "v1alpha1", "only the scheduler used it"},
	"podschedulingcontexts":   {"v1alpha2", "v1alpha3", "only the scheduler and drivers with a controller used it"},
	"resourceclasses":         {"v1alpha1", "v1alpha2", "name deviceclasses, if classes are meant"},
	"resourceclaimparameters": {"v1alpha2", "v1alpha2", "parameters stand in the claim since Kubernetes 1.31"},
	"resourceclassparameters": {"v1alpha2", "v1alpha2", "parameters stand in the DeviceClass since Kubernetes 1.31"},
	"deviceclasses":           {"v1alpha3", "", "name resourceclasses, if classes are meant"},
}

// roles that give rights for resources that the version does not have. Groups carry no version, so nothing is wrong but the names.
func (o *other) roles(t *tree) {
	rights := t.member("resources")
	if rights == nil || t.member("verbs") == nil || !slices.Contains(t.texts("apiGroups"), api.Group) {
		return
	}
	age := func(version string) int { return slices.Index(conversion.Versions(), version) }
	for _, r := range rights.children {
		name, _, _ := strings.Cut(r.text, "/")
		known, found := resources[name]
		if found && (age(o.to) < age(known.first) || known.last != "" && age(o.to) > age(known.last)) {
			o.tell(finding.RoleOfRemovedResource, r, fmt.Sprintf("%s has no %s; %s", o.to, name, known.instead))
		}
	}
}

// admissionRules of webhooks and policies that match other versions only.
func (o *other) admissionRules(t *tree) {
	versions := t.texts("apiVersions")
	if len(versions) == 0 || slices.Contains(versions, "*") || slices.Contains(versions, o.to) || !slices.Contains(t.texts("apiGroups"), api.Group) {
		return
	}
	matches := fmt.Sprintf("matches %s of %s, and not %s", strings.Join(versions, ", "), api.Group, o.to)
	o.tell(finding.RulesOfAnotherVersion, t.member("apiVersions"), matches)
}

// kindOf is how policies of Kyverno name kinds, group/version/kind, where the version may be a pattern.
var (
	kyverno = regexp.MustCompile(`(?:^|\.)kyverno\.io$`)
	kindOf  = regexp.MustCompile(`^resource\.k8s\.io/([^/]+)/[^/]+`)
)

// versionName is a text that is the name of a version, and maybe of a kind of it.
var versionName = regexp.MustCompile(`^resource\.k8s\.io/(v\w+)(?:/\w+)?$`)

// betaAPI is an entry of a list of beta APIs that a cluster serves, which names a resource and no kind, such as
// enable_k8s_beta_apis and --enable-kubernetes-unstable-apis of GKE. Such a list takes no API that is stable.
var betaAPI = regexp.MustCompile(`^resource\.k8s\.io/v\d+(?:alpha|beta)\d+/[a-z]+$`)

// versions that members are set to, as in the values of a chart, or that a list names, as the apiVersions that Argo CD hands to Helm. A list
// that names the wanted one too is right, the type of an object is looked at elsewhere, and a groupVersion is what some server has said.
func (o *other) versions(t *tree) {
	var others []*tree
	for _, c := range t.children {
		name := versionName.FindStringSubmatch(c.text)
		switch {
		case name == nil || c.name == "apiVersion" || c.name == "groupVersion":
		case name[1] == o.to && c.name == "":
			return
		case o.isOther(name[1]):
			others = append(others, c)
		}
	}
	for _, c := range others {
		if betaAPI.MatchString(c.text) && c.name == "" && !strings.Contains(o.to, "alpha") && !strings.Contains(o.to, "beta") {
			o.tell(finding.NamedVersion, c, c.text+" is an entry of a list of APIs to enable, and "+o.to+" needs none: "+
				"remove the entry once no client uses that version")
			continue
		}
		instead := strings.Replace(c.text, "/"+versionName.FindStringSubmatch(c.text)[1], "/"+o.to, 1)
		o.tell(finding.NamedVersion, c, c.text+" is named, and not "+instead)
	}
}
