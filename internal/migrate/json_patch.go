package migrate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// jsonPatch converts a JSON patch of claims, templates, or pods to a version.
type jsonPatch struct {
	to     string
	object []byte // the list of operations
	edits  []Edit
	// problem is the first path or field that has no counterpart in the version, and why.
	problem          *jsonNode
	why              string
	dependsOnVersion bool // a path or a value differs between versions
}

// convertPatchOperations returns the converted operations, or the original operations if nothing changes. If there is a
// problem, the patch needs manual changes.
func convertPatchOperations(operations []byte, to string) (converted []byte, p *jsonPatch) {
	p = &jsonPatch{to: to, object: operations}
	for _, operation := range parseNode(operations).children {
		p.convertOperation(operation)
	}
	return ApplyEdits(operations, outermost(p.edits)), p
}

// fail stores the first problem.
func (p *jsonPatch) fail(t *jsonNode, why string) {
	if p.problem == nil {
		p.problem, p.why = t, why
	}
}

func (p *jsonPatch) replace(t *jsonNode, replacement []byte) {
	p.edits = append(p.edits, Edit{t.begin, t.end, replacement})
}

// convertOperation converts an operation of the patch.
func (p *jsonPatch) convertOperation(operation *jsonNode) {
	for _, name := range []string{"path", "from"} {
		pointer := operation.member(name)
		if pointer == nil {
			continue
		}
		names := strings.Split(pointer.text, "/")
		p.dependsOnVersion = p.dependsOnVersion || differsByVersion(names)
		why := movedReason(names, p.to)
		if why == "" {
			continue
		}
		moved := convertPath(names, p.to)
		if moved == nil {
			p.fail(pointer, pointer.text+" "+why)
			continue
		}
		p.replace(pointer, objectjson.Quote(strings.Join(moved, "/")))
	}
	value := operation.member("value")
	if value == nil {
		return
	}
	path := operation.textOf("path")
	if path == "/apiVersion" {
		p.convertAPIVersion(value)
		return
	}
	names := strings.Split(path, "/")
	if movedReason(names, p.to) == "" { // the value of a moved field is the same in both versions
		p.convertValue(value, names)
	}
}

// convertAPIVersion converts the value of an operation that tests or sets the version.
func (p *jsonPatch) convertAPIVersion(value *jsonNode) {
	name := versionNamePattern.FindStringSubmatch(value.text)
	if name == nil {
		return
	}
	p.dependsOnVersion = true
	if _, known := api.Find(name[1]); known && name[1] != p.to {
		p.replace(value, objectjson.Quote(api.Group+"/"+p.to))
	}
}

// convertValue converts the value that an operation writes at a path.
func (p *jsonPatch) convertValue(t *jsonNode, names []string) {
	last := len(names) - 1
	isEntryOf := func(list string) bool { return t.kind == jsonObject && last > 0 && names[last-1] == list }
	switch {
	case isEntryOf("requests") && last > 1 && names[last-2] == "devices":
		p.convertRequest(t, names)
		return
	case isEntryOf(podClaims):
		p.convertPodClaim(t)
		return
	}
	for _, child := range t.children {
		name := child.name
		if t.kind == jsonArray {
			name = strconv.Itoa(child.index)
		}
		below := slices.Concat(names, []string{name})
		p.dependsOnVersion = p.dependsOnVersion || differsByVersion(below)
		if why := movedReason(below, p.to); why != "" {
			p.fail(child, name+" "+why)
			return
		}
		p.convertValue(child, below)
	}
}

// convertRequest converts a device request: the fields that are in the request itself up to v1beta1 are in `exactly`
// since v1beta2.
func (p *jsonPatch) convertRequest(t *jsonNode, names []string) {
	members, duplicates, err := objectjson.Members(p.object[t.begin:t.end])
	exactly, innerDuplicates, innerErr := objectjson.Members(objectjson.Get(members, "exactly"))
	belongsInExactly := func(m objectjson.Member) bool { return isInExactly(m.Name) }
	first := slices.IndexFunc(members, belongsInExactly)
	exactlyIndex := objectjson.Find(members, "exactly")
	p.dependsOnVersion = p.dependsOnVersion || first >= 0 || exactlyIndex >= 0
	moves := api.HasExactly(p.to) && first >= 0 || !api.HasExactly(p.to) && exactlyIndex >= 0
	if !moves {
		return
	}
	isMixed := first >= 0 && (exactlyIndex >= 0 || objectjson.Find(members, "firstAvailable") >= 0)
	if err != nil || innerErr != nil || len(duplicates)+len(innerDuplicates) > 0 || isMixed {
		p.fail(t, strings.Join(names, "/")+" has fields of several versions")
		return
	}
	if !api.HasExactly(p.to) {
		p.replace(t, yamldoc.AppendObject(nil, slices.Concat(members[:exactlyIndex], exactly, members[exactlyIndex+1:])))
		return
	}
	var direct []objectjson.Member
	for _, m := range members {
		if belongsInExactly(m) {
			direct = append(direct, m)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(members), belongsInExactly)
	index := min(first, len(rest))
	rest = slices.Insert(rest, index, objectjson.Member{Name: "exactly", Value: yamldoc.AppendObject(nil, direct)})
	p.replace(t, yamldoc.AppendObject(nil, rest))
}

// convertPodClaim converts an entry of a pod's claims.
func (p *jsonPatch) convertPodClaim(t *jsonNode) {
	entry := p.object[t.begin:t.end]
	withoutSource := api.HasDevices(p.to)
	field, moved, isFixable := fixPodClaimEntry(entry, withoutSource)
	other, _, _ := fixPodClaimEntry(entry, !withoutSource)
	p.dependsOnVersion = p.dependsOnVersion || field != "" || other != ""
	switch {
	case field == "":
	case isFixable:
		p.replace(t, moved)
	default:
		p.fail(t, field+" cannot be moved")
	}
}

// convertPath returns the path of a field in a version, or nil if the version has no such field. It is called only for
// paths that differ, see movedReason.
func convertPath(names []string, to string) []string {
	var moved []string
	for i, name := range names {
		rest := names[i+1:]
		switch {
		case len(rest) < 2:
		case name == "requests" && i > 0 && names[i-1] == "devices":
			if api.HasExactly(to) && isInExactly(rest[1]) {
				moved = slices.Concat(names[:i+2], api.RequestFieldPath(to, rest[1]), rest[2:])
			} else if !api.HasExactly(to) && rest[1] == "exactly" && len(rest) > 2 {
				moved = slices.Delete(slices.Clone(names), i+2, i+3)
			}
		case name == podClaims:
			if api.HasDevices(to) && rest[1] == podSource && len(rest) == 3 && isPodClaimName(rest[2]) {
				moved = slices.Delete(slices.Clone(names), i+2, i+3)
			} else if !api.HasDevices(to) && isPodClaimName(rest[1]) {
				moved = slices.Insert(slices.Clone(names), i+2, podSource)
			}
		}
	}
	if moved == nil || movedReason(moved, to) != "" {
		return nil
	}
	return moved
}

// differsByVersion reports whether the field at a path is elsewhere in some version.
func differsByVersion(names []string) bool {
	isElsewhere := func(version string) bool { return movedReason(names, version) != "" }
	return slices.ContainsFunc(conversion.Versions(), isElsewhere)
}
