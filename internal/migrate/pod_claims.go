package migrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

const (
	podClaims = "resourceClaims"
	podSource = "source"
)

func isPodClaimName(name string) bool {
	return name == "resourceClaimName" || name == "resourceClaimTemplateName"
}

// podClaim is an entry with which a pod refers to a claim or a template. Up to Kubernetes 1.30, the name is below
// source. Pods are found by their structure, in any kind of object. A custom kind whose value neither has containers
// nor is the spec of a template may have other data of this form, such as the values of a chart or the parameters of a
// driver. That is reported, and unchanged.
type podClaim struct {
	entry *jsonNode
	path  string // of the first field that is in the wrong place
	moved []byte // the entry with the fields in the right place
	// isFixable is false if both places have fields or there are unknown members, if the object may not be a pod, or if
	// a patch removes a name.
	isFixable bool
}

// misplacedPodClaims returns the entries that name their claims in the place of other releases. withoutSource is set
// for releases since 1.31, where the name of the claim is in the entry itself, and not below source.
func (o *relatedObject) misplacedPodClaims(withoutSource bool) (found []podClaim) {
	if !bytes.Contains(o.object, []byte(podClaims)) { // the usual case
		return nil
	}
	// In the built-in groups with pods, the field always belongs to a pod. Patches of such objects may omit the
	// containers. Data without a type, such as the values of a chart, need not be a pod.
	group, _, hasGroup := strings.Cut(o.apiVersion, "/")
	isWorkload := o.apiVersion != "" && (!hasGroup || group == "apps" || group == "batch")
	var search func(t *jsonNode, parent string)
	search = func(t *jsonNode, parent string) {
		// The spec of a pod has containers, or is the spec of a template.
		isPod := isWorkload || parent == "template" && t.name == "spec" ||
			slices.ContainsFunc(t.children, func(c *jsonNode) bool { return c.name == "containers" && c.kind == jsonArray })
		for _, c := range t.children {
			if c.name != podClaims || c.kind != jsonArray {
				search(c, t.name)
				continue
			}
			for _, entry := range c.children {
				if claim := o.misplacedPodClaim(entry, withoutSource, isPod); claim.path != "" {
					found = append(found, claim)
				}
			}
		}
	}
	search(o.root, "")
	return found
}

// misplacedPodClaim returns an entry that names its claim in the wrong place. The path is empty for another entry.
func (o *relatedObject) misplacedPodClaim(entry *jsonNode, withoutSource, isPod bool) podClaim {
	field, moved, isFixable := fixPodClaimEntry(o.object[entry.begin:entry.end], withoutSource)
	if removed := removedName(entry, withoutSource); removed != "" && o.isPatch() {
		field, moved, isFixable = removed, nil, false
	}
	if field == "" {
		return podClaim{}
	}
	return podClaim{entry, entry.path() + "." + field, moved, isFixable && isPod}
}

// fixPodClaimEntry returns the field of an entry of a pod's claims that is in the wrong place, or "", and the corrected
// entry: the fields of source replace source, or source replaces the first of the fields that belong in it.
func fixPodClaimEntry(entry []byte, withoutSource bool) (field string, moved []byte, isFixable bool) {
	members, duplicates, err := objectjson.Members(entry)
	source, innerDuplicates, innerErr := objectjson.Members(objectjson.Get(members, podSource))
	if err != nil || innerErr != nil {
		return "", nil, false // not an entry of a pod
	}
	isName := func(m objectjson.Member) bool { return isPodClaimName(m.Name) }
	isText := func(m objectjson.Member) bool { return isName(m) && len(m.Value) > 0 && m.Value[0] == '"' }
	sourceIndex := objectjson.Find(members, podSource)
	misplaced := members
	target := source
	if withoutSource {
		misplaced, target = source, members
	}
	first := slices.IndexFunc(misplaced, isText)
	if first < 0 {
		return "", nil, false
	}
	isMovable := len(duplicates)+len(innerDuplicates) == 0 && !slices.ContainsFunc(target, isName)
	if withoutSource {
		isMovable = isMovable && !slices.ContainsFunc(source, func(m objectjson.Member) bool { return !isText(m) })
		direct := slices.Concat(members[:sourceIndex], source, members[sourceIndex+1:])
		return podSource, yamldoc.AppendObject(nil, direct), isMovable
	}
	inner := slices.DeleteFunc(slices.Clone(members), func(m objectjson.Member) bool { return !isText(m) })
	outer := slices.DeleteFunc(slices.Clone(members), isName)
	index := slices.IndexFunc(members, isName)
	outer = slices.Insert(outer, index, objectjson.Member{Name: podSource, Value: yamldoc.AppendObject(nil, inner)})
	return members[first].Name, yamldoc.AppendObject(nil, outer), isMovable && sourceIndex < 0
}

// isPatch reports whether the object is a patch of a kustomization, in a file or in a text.
func (o *relatedObject) isPatch() bool {
	return o.InPlace && (o.position.Path != "" || o.kustomizations.IsPatch(o.position.File))
}

// removedName returns the field of an entry of a pod's claims that is in the wrong place and removes a name, or "". In
// a patch, a null removes a name, and so does a source that has only nulls and directives.
func removedName(entry *jsonNode, withoutSource bool) string {
	if withoutSource {
		source := entry.member(podSource)
		if source == nil || source.kind != jsonNull && !source.removesNames() {
			return ""
		}
		return podSource
	}
	for _, c := range entry.children {
		if isPodClaimName(c.name) && c.kind == jsonNull {
			return c.name
		}
	}
	return ""
}

// removesNames reports whether an object has members, and these are nulls for names of claims, or directives.
func (t *jsonNode) removesNames() bool {
	isOther := func(c *jsonNode) bool {
		return !strings.HasPrefix(c.name, "$") && (!isPodClaimName(c.name) || c.kind != jsonNull)
	}
	return t.kind == jsonObject && len(t.children) > 0 && !slices.ContainsFunc(t.children, isOther)
}

// reportPods reports references to claims that could not be fixed. In a patch of a kustomization that is an error,
// because the result of a build would differ.
func (o *relatedObject) reportPods(unfixable []podClaim) {
	if len(unfixable) == 0 {
		return
	}
	message := "Kubernetes 1.31 and later do not have this field; set resourceClaimName or resourceClaimTemplateName " +
		"next to name, and remove source"
	if !api.HasDevices(o.version) {
		message = "Kubernetes 1.30 and earlier have this field below source; move it there"
	}
	if len(unfixable) > 1 {
		message += fmt.Sprintf(" (and %d more)", len(unfixable)-1)
	}
	if o.isPatch() {
		o.failures = append(o.failures,
			o.asSubject().New(findings.Error, findings.PodClaimSource, unfixable[0].path, message))
		return
	}
	o.result.report(o.asSubject().New(findings.Warning, findings.PodClaimSource, unfixable[0].path, message))
}
