package migrate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/findings"
)

// convertReferences converts or reports the values of an object of another kind that depend on the version: paths of
// moved fields, in JSON patches and elsewhere, and the versions that selectors and other values name. They are found by
// their structure, in objects of any kind. They are converted only in the files of kustomize, and reported elsewhere.
// Complete objects inside the object, such as claims and classes, are converted.
func (o *relatedObject) convertReferences() {
	o.root.walk(func(t *jsonNode) (further bool) {
		apiVersion := t.textOf("apiVersion")
		isTyped := t.textOf("kind") != "" && strings.Contains(apiVersion, "/")
		switch {
		case t.name == "x-kubernetes-group-version-kind": // in an OpenAPI document, the kinds that a schema is for
			return false
		case t != o.root && isTyped && o.Groups.HasByName(apiVersion):
			o.convertNested(t)
			return false
		}
		o.convertReferencesIn(t)
		return true
	})
}

// convertReferencesIn converts or reports the references of a value, without those of its children.
func (o *relatedObject) convertReferencesIn(t *jsonNode) {
	if o.isKustomizeFile() && isPatchText(t) {
		o.convertPatchText(t)
		return
	}
	if o.isKustomizeFile() && t.name == "path" && t.isIn("", "replacements") {
		o.reportReplacementsFile(t)
		return
	}
	if t.text != "" {
		o.convertFieldPath(t)
		o.reportMentionsIn(t)
		return
	}
	o.convertSelector(t)
	o.reportPatchOperation(t)
	o.reportAdmissionRules(t)
	o.reportVersionNames(t)
}

// reportAdmissionRules reports rules of webhooks and policies that match other versions only.
func (o *relatedObject) reportAdmissionRules(t *jsonNode) {
	versions := t.texts("apiVersions")
	matchesTarget := slices.Contains(versions, "*") || slices.Contains(versions, o.version)
	if len(versions) == 0 || matchesTarget || !slices.Contains(t.texts("apiGroups"), api.Group) {
		return
	}
	matches := fmt.Sprintf("matches %s of %s, not %s", strings.Join(versions, ", "), api.Group, o.version)
	named := t.member("apiVersions")
	if !o.InPlace || !isExact(t) {
		o.warn(findings.NamedVersion, named, matches)
		return
	}
	o.recordSelector(named, versionSelector{message: matches + " (matchPolicy: Exact)", versions: versions})
}

// recordSelector notes a rule or target that matches objects of some versions, until it is known which are converted.
func (o *relatedObject) recordSelector(t *jsonNode, selector versionSelector) {
	selector.field = t.path()
	selector.line, _ = o.locate(t.path())
	o.result.Facts.add(kindVersionSelectors, fact{subject: o.asSubject(), selector: &selector})
}

// isExact reports whether a rule of a webhook or policy matches objects only in the versions that it names. Without
// matchPolicy: Exact the API server converts them to one of these.
func isExact(rule *jsonNode) bool {
	list := rule.parent
	return list != nil && list.parent != nil && list.parent.textOf("matchPolicy") == "Exact"
}

// versionNamePattern matches the name of a version, optionally with a kind or a resource.
var versionNamePattern = regexp.MustCompile(`^resource\.k8s\.io/(v\w+)(?:/\w+)?$`)

// betaAPIPattern is an entry of a list of beta APIs that a cluster serves, which names a resource and no kind, such as
// enable_k8s_beta_apis and --enable-kubernetes-unstable-apis of GKE. Such a list does not accept stable APIs.
var betaAPIPattern = regexp.MustCompile(`^resource\.k8s\.io/v\d+(?:alpha|beta)\d+/[a-z]+$`)

// reportVersionNames reports members of an object or items of a list that are the name of another version, such as the
// values of a chart, or the apiVersions that Argo CD passes to Helm. It does not report
//
//   - a list that also has the target version,
//   - the apiVersion of an object, which other code handles,
//   - a groupVersion, which is part of a response of an API server,
//   - the apiVersion of managedFields, which is the version that the manager used.
func (o *relatedObject) reportVersionNames(t *jsonNode) {
	var others []*jsonNode
	for _, c := range t.children {
		name := versionNamePattern.FindStringSubmatch(c.text)
		switch {
		case name == nil || c.name == "groupVersion":
		case c.name == "apiVersion" && (t == o.root || t.textOf("kind") != "" || t.textOf("fieldsType") != ""):
		case name[1] == o.version && c.name == "":
			return
		case o.isOtherKnownVersion(name[1]):
			others = append(others, c)
		}
	}
	for _, c := range others {
		if betaAPIPattern.MatchString(c.text) && c.name == "" && !strings.Contains(o.version, "alpha") &&
			!strings.Contains(o.version, "beta") {
			o.warn(findings.NamedVersion, c,
				c.text+" is an entry of a list of APIs to enable, and "+o.version+" needs none: "+
					"remove the entry once no client uses that version")
			continue
		}
		replacement := strings.Replace(c.text, "/"+versionNamePattern.FindStringSubmatch(c.text)[1], "/"+o.version, 1)
		o.warn(findings.NamedVersion, c, "refers to "+c.text+": replace it with "+replacement)
	}
}
