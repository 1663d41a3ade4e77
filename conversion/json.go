package conversion

import (
	"fmt"
	"slices"
	"strings"
)

// JSON converts one object, a ResourceClaim or a ResourceClaimTemplate, to another version of its own group. To its
// own version an object is returned as it is. Metadata passes through as it is written, but for labels and annotations
// of ours. An error is an *Error.
func JSON(object []byte, version string, o Options) ([]byte, Report, error) {
	obj, err := readObject(object)
	if err != nil {
		return nil, Report{}, failure(obj.Header, version, err)
	}
	out, report, err := obj.convert(object, version, o)
	if err != nil {
		return nil, report, failure(obj.Header, version, err)
	}
	return out, report, nil
}

// object is one whose metadata, spec and status are still as they were written.
type object struct {
	Header
	members  []member
	template []member // of a template's spec
	meta     *metadata
	// unknown fields of the object itself.
	unknown []string
}

func readObject(raw []byte) (obj object, err error) {
	var duplicates []string
	if obj.members, duplicates, err = membersOf(raw); err != nil {
		return obj, err
	}
	obj.Header = typeOf(obj.members)
	obj.unknown = duplicates
	if obj.meta, err = readMetadata(get(obj.members, "metadata")); err != nil {
		return obj, within("metadata", err)
	}
	obj.identify(obj.meta.members)
	switch obj.Kind {
	case kindClaim:
		obj.notOf(obj.members, "", "apiVersion", "kind", "metadata", "spec", "status")
	case kindTemplate:
		obj.notOf(obj.members, "", "apiVersion", "kind", "metadata", "spec")
		if obj.template, duplicates, err = membersOf(get(obj.members, "spec")); err != nil {
			return obj, within("spec", err)
		}
		obj.notOf(obj.template, "spec", "metadata", "spec")
		for _, d := range duplicates {
			obj.unknown = append(obj.unknown, joinPath("spec", d))
		}
	default:
		return obj, fmt.Errorf("%w %q: must be %s or %s", ErrKind, obj.Kind, kindClaim, kindTemplate)
	}
	return obj, nil
}

// notOf collects members that are not of the kind.
func (obj *object) notOf(members []member, path string, known ...string) {
next:
	for _, m := range members {
		for _, k := range known {
			if m.name == k {
				continue next
			}
		}
		obj.unknown = append(obj.unknown, joinPath(path, m.name))
	}
}

// complete tells a whole object from a fragment.
func (obj *object) complete() bool { return obj.Name != "" || obj.GenerateName != "" }

// carriage of the object: a template's leftovers travel in the metadata that controllers copy into claims.
func (obj *object) carriage() (*carriage, error) {
	c := &carriage{meta: obj.meta, path: "metadata.", uid: obj.UID}
	if t := get(obj.meta.members, "deletionTimestamp"); len(t) > 0 && t[0] == '"' {
		c.deleting = true
	}
	if obj.Kind == kindTemplate {
		meta, err := readMetadata(get(obj.template, "metadata"))
		if err != nil {
			return nil, within("spec.metadata", err)
		}
		c.meta, c.path = meta, "spec.metadata."
	}
	return c, nil
}

func (obj *object) convert(raw []byte, version string, o Options) ([]byte, Report, error) {
	from, to := place(obj.Version), place(version)
	if from < 0 || to < 0 {
		wrong := obj.Version
		if from >= 0 {
			wrong = version
		}
		return nil, Report{}, fmt.Errorf("%w %q: known are %s", ErrVersion, wrong, strings.Join(Versions(), ", "))
	}
	if from == to {
		return raw, Report{}, nil
	}
	carried, err := obj.carriage()
	if err != nil {
		return nil, Report{}, err
	}
	c, unknown, err := obj.read(from)
	if err != nil {
		return nil, Report{}, err
	}
	carried.report.Unknown = slices.Concat(obj.unknown, unknown)
	if o.Strict && len(carried.report.Unknown) > 0 {
		return nil, carried.report, &UnknownFieldError{Fields: carried.report.Unknown}
	}
	if c, err = walk(c, from, to, carried, o); err != nil {
		return nil, carried.report, err
	}
	spec, status := versions[to].write(c)
	return obj.append(make([]byte, 0, len(raw)+len(raw)/2), version, spec, status, carried, o), carried.report, nil
}

// read decodes the spec and status.
func (obj *object) read(place int) (c any, unknown []string, err error) {
	if obj.Kind == kindClaim {
		return versions[place].read(get(obj.members, "spec"), get(obj.members, "status"), obj.complete())
	}
	c, unknown, err = versions[place].read(get(obj.template, "spec"), nil, obj.complete())
	for i := range unknown {
		unknown[i] = joinPath("spec", unknown[i])
	}
	return c, unknown, within("spec", err)
}

// append writes the object with its members in the order they had.
func (obj *object) append(out []byte, version string, spec, status []byte, carried *carriage, o Options) []byte {
	h := obj.Header
	h.Version = version
	hasMetadata := find(obj.members, "metadata") >= 0
	out = append(out, '{')
	for _, m := range obj.members {
		first := out[len(out)-1] == '{'
		switch {
		case m.name == "apiVersion":
			out = appendMember(out, m.name, quote(h.APIVersion()), first)
			if !hasMetadata { // the API server takes no answer without it
				out = appendMember(out, "metadata", obj.meta.append(nil, o.TrimMetadata), false)
			}
		case m.name == "kind":
			out = appendMember(out, m.name, m.value, first)
		case m.name == "metadata":
			out = appendMember(out, m.name, obj.meta.append(nil, o.TrimMetadata), first)
		case m.name == "spec" && obj.Kind == kindTemplate:
			if string(m.value) != "null" {
				out = appendMember(out, m.name, obj.appendTemplate(nil, spec, carried), first)
			}
		case m.name == "spec" && spec != nil:
			out = appendMember(out, m.name, spec, first)
		case m.name == "status" && status != nil:
			out = appendMember(out, m.name, status, first)
		}
	}
	return append(out, '}')
}

// appendTemplate writes a template's spec. Metadata that holds nothing but what was ours is not there.
func (obj *object) appendTemplate(out []byte, spec []byte, carried *carriage) []byte {
	had := find(obj.template, "metadata") >= 0
	metadata := carried.meta.append(nil, false)
	out = append(out, '{')
	if len(metadata) > len("{}") || had && !carried.meta.changed() {
		out = appendMember(out, "metadata", metadata, true)
	}
	if spec != nil {
		out = appendMember(out, "spec", spec, len(out) == 1)
	}
	return append(out, '}')
}
