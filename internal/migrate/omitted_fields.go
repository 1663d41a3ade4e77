package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// asAuthored returns a converted claim that is closer to what its author wrote:
//
//   - Empty metadata that the conversion added is removed.
//   - Members without content (null, [], {}, false, "") that the author wrote and the conversion omitted are restored,
//     if the version has their field.
//
// API servers of all versions treat such a member like an absent field: the conversion omits false and "" only if the
// field is not a pointer. So these members need no change, and comments below them, such as fields that are commented
// out, keep their place.
func (c *Converter) asAuthored(o *claimConversion) []byte {
	original := parseNode(o.raw)
	converted := withoutEmptyMetadata(o.converted, original)
	if c.isPartOfObject(o) {
		return converted // where it is merged, a null deletes: see lostNullFindings
	}
	added := omittedMembers(o.raw, original, converted, o.report.Version, c.version)
	if len(added) == 0 {
		return converted
	}
	withAdded := addMembers(converted, added)
	_, _, err := conversion.ConvertJSON(withAdded, c.version, conversion.Options{Strict: true})
	unknown, isUnknown := errors.AsType[*conversion.UnknownFieldError](err)
	switch {
	case err == nil:
		return withAdded
	case !isUnknown:
		return converted
	}
	known := slices.DeleteFunc(added, func(m omittedMember) bool {
		return slices.Contains(unknown.Fields, objectjson.JoinPath(m.object.path(), m.name))
	})
	return addMembers(converted, known)
}

// withoutEmptyMetadata returns a converted object without empty metadata that the original did not have: its own, and
// in a template that of the claims.
func withoutEmptyMetadata(converted []byte, original *jsonNode) []byte {
	if !bytes.Contains(converted, []byte(`"metadata":{}`)) {
		return converted
	}
	remove := func(object []byte, metadata *jsonNode) []byte {
		members, _, err := objectjson.Members(object)
		at := objectjson.Find(members, "metadata")
		if err != nil || at < 0 || string(members[at].Value) != "{}" || metadata != nil && metadata.kind != jsonNull {
			return object
		}
		return without(members, "metadata")
	}
	converted = remove(converted, original.member("metadata"))
	spec := parseNode(converted).member("spec")
	if original.textOf("kind") != api.KindTemplate || spec == nil || spec.kind != jsonObject {
		return converted
	}
	text := converted[spec.begin:spec.end]
	return ApplyEdits(converted, []Edit{{spec.begin, spec.end, remove(text, original.member("spec", "metadata"))}})
}

// omittedMember is a member that the conversion omitted, and the converted object to which it is added.
type omittedMember struct {
	object *jsonNode
	name   string
	value  []byte
}

// omittedMembers returns the members without content that the conversion of an object omitted, each with the object of
// the converted claim that has its field.
func omittedMembers(raw []byte, original *jsonNode, converted []byte, from, to string) (added []omittedMember) {
	var root *jsonNode // of the converted object; most objects have no members without content
	original.walk(func(t *jsonNode) bool {
		if !t.isWithoutContent() || t.parent == nil || t.parent.kind != jsonObject {
			return true
		}
		if root == nil {
			root = parseNode(converted)
		}
		in := convertedParentOf(root, t, from, to)
		if in != nil && in.kind == jsonObject && in.member(t.name) == nil {
			added = append(added, omittedMember{in, t.name, raw[t.begin:t.end]})
		}
		return true
	})
	return added
}

// isWithoutContent reports whether a value is null, false, "", or an empty list or object.
func (t *jsonNode) isWithoutContent() bool {
	switch t.kind {
	case jsonNull, jsonFalse:
		return true
	case jsonArray, jsonObject:
		return len(t.children) == 0
	case jsonString:
		return t.text == ""
	}
	return false
}

// convertedParentOf returns the object in the converted claim that contains the counterpart of a value, or nil.
func convertedParentOf(root, value *jsonNode, from, to string) *jsonNode {
	var path []*jsonNode // from the top down to the value
	for t := value; t.parent != nil; t = t.parent {
		path = append(path, t)
	}
	slices.Reverse(path)
	at := root
	for i, t := range path {
		if isRequest(t.parent) {
			switch {
			case api.HasExactly(from) && !api.HasExactly(to) && t.name == "exactly":
				continue // its fields are those of the request
			case !api.HasExactly(from):
				names := api.RequestFieldPath(to, t.name)
				at = at.member(names[:len(names)-1]...)
			}
		}
		isLast := i == len(path)-1
		switch {
		case at == nil || isLast:
			return at
		case t.parent.kind != jsonArray:
			at = at.member(t.name)
		case t.index < len(at.children):
			at = at.children[t.index]
		default:
			return nil
		}
	}
	return nil // the value is `exactly` itself
}

// isRequest reports whether a value is an item of spec.devices.requests.
func isRequest(t *jsonNode) bool { return t.isIn("requests", "devices") && t.parent.kind == jsonArray }

// addMembers returns a JSON object with members added to objects in it.
func addMembers(object []byte, added []omittedMember) []byte {
	texts := map[*jsonNode][]byte{}
	var edits []Edit
	for _, m := range added {
		if len(texts[m.object]) > 0 || len(m.object.children) > 0 {
			texts[m.object] = append(texts[m.object], ',')
		}
		texts[m.object] = append(append(texts[m.object], objectjson.Quote(m.name)...), ':')
		texts[m.object] = append(texts[m.object], m.value...)
	}
	for in, text := range texts {
		edits = append(edits, Edit{in.end - 1, in.end - 1, text})
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Begin, b.Begin) })
	return ApplyEdits(object, edits)
}
