package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// JSON converts one object, a ResourceClaim or a ResourceClaimTemplate, to another version of its own group. To its
// own version an object is returned as it is. Metadata passes through as it is written, but for labels and annotations
// of ours. An error is an *Error.
func JSON(object []byte, version string, o Options) ([]byte, Report, error) {
	out, same, report, err := convert(nil, object, version, o)
	if same {
		return object, report, err
	}
	return out, report, err
}

// Append is JSON, but appends the answer to a buffer, which is returned as it was when there is an error.
func Append(out, object []byte, version string, o Options) ([]byte, Report, error) {
	converted, same, report, err := convert(out, object, version, o)
	switch {
	case err != nil:
		return out, report, err
	case same:
		return append(out, object...), report, nil
	}
	return converted, report, nil
}

// convert appends the converted object, unless it is the same one.
func convert(out, object []byte, version string, o Options) (_ []byte, same bool, _ Report, err error) {
	w := newWorkspace(object)
	defer w.free()
	if err := w.readObject(); err != nil {
		return nil, false, Report{}, failure(w.object.Header, version, err)
	}
	out, same, err = w.convert(out, version, o)
	w.carriage.report.Group, w.carriage.report.Version = w.origin()
	if err != nil {
		return nil, false, w.carriage.report, failure(w.object.Header, version, err)
	}
	return out, same, w.carriage.report, nil
}

// object is one whose metadata, spec and status are still as they were written.
type object struct {
	Header
	members  []member
	template []member // of a template's spec
	meta     metadata
	// unknown fields of the object itself.
	unknown []string
}

// readObject reads the workspace's text.
func (w *workspace) readObject() error {
	obj := &w.object
	if err := w.readTop(); err != nil {
		return err
	}
	obj.Header = typeOf(obj.members)
	if err := obj.meta.problem(); err != nil {
		return within("metadata", err)
	}
	obj.identify(obj.meta.members)
	switch obj.Kind {
	case kindClaim:
		obj.notOf(obj.members, "", "apiVersion", "kind", "metadata", "spec", "status")
	case kindTemplate:
		obj.notOf(obj.members, "", "apiVersion", "kind", "metadata", "spec")
		var duplicates []string
		var err error
		if obj.template, duplicates, err = readMembers(get(obj.members, "spec"), &w.members); err != nil {
			return within("spec", err)
		}
		obj.notOf(obj.template, "spec", "metadata", "spec")
		for _, d := range duplicates {
			obj.unknown = append(obj.unknown, joinPath("spec", d))
		}
	default:
		return fmt.Errorf("%w %q: must be %s or %s", ErrKind, obj.Kind, kindClaim, kindTemplate)
	}
	return nil
}

// readTop reads the members, and of metadata those as well.
func (w *workspace) readTop() error {
	if len(w.text) == 0 {
		return nil
	}
	obj := &w.object
	s := jsonscan.New(w.text)
	var list memberList
	there, problem := nextIsObject(&s)
	for more := there && s.FirstMember(); more; more = s.NextMember() {
		name := nameOf(w.text, s.Name())
		begin := s.Begin()
		if name == "metadata" {
			w.scanMetadata(&s, w.text, &obj.meta)
		} else {
			s.Skip()
		}
		end := s.End()
		if list.put(member{name, w.text[begin:end:end]}, &w.top) {
			obj.unknown = append(obj.unknown, strings.Clone(name))
		}
	}
	obj.members = slices.Clip(list.items)
	if err := atEnd(&s, w.text); err != nil {
		return err
	}
	return problem
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
		obj.unknown = append(obj.unknown, strings.Clone(joinPath(path, m.name)))
	}
}

// complete tells a whole object from a fragment.
func (obj *object) complete() bool { return obj.Name != "" || obj.GenerateName != "" }

// load makes the carriage of the object ready: a template's leftovers travel in the metadata that controllers copy
// into claims.
func (w *workspace) load() error {
	obj, c := &w.object, &w.carriage
	*c = carriage{workspace: w, meta: &obj.meta, path: "metadata.", uid: obj.UID}
	c.field.parts = w.parts[:0]
	if t := get(obj.meta.members, "deletionTimestamp"); len(t) > 0 && t[0] == '"' {
		c.deleting = true
	}
	if obj.Kind == kindTemplate {
		if err := w.readMetadata(get(obj.template, "metadata"), &w.template); err != nil {
			return within("spec.metadata", err)
		}
		c.meta, c.path = &w.template, "spec.metadata."
	}
	return nil
}

func (w *workspace) convert(out []byte, version string, o Options) (_ []byte, same bool, err error) {
	obj, carried := &w.object, &w.carriage
	from, to := place(obj.Version), place(version)
	if from < 0 || to < 0 {
		wrong := obj.Version
		if from >= 0 {
			wrong = version
		}
		return nil, false, fmt.Errorf("%w %q: known are %s", ErrVersion, wrong, strings.Join(Versions(), ", "))
	}
	if from == to {
		return nil, true, nil
	}
	if err := w.load(); err != nil {
		return nil, false, err
	}
	c, unknown, err := w.readClaim(from)
	if err != nil {
		return nil, false, err
	}
	carried.tell = o.Carried
	carried.report.Unknown = slices.Concat(obj.unknown, unknown)
	if o.Strict && len(carried.report.Unknown) > 0 {
		return nil, false, &UnknownFieldError{Fields: carried.report.Unknown}
	}
	if c, err = walk(c, from, to, carried, o); err != nil {
		return nil, false, err
	}
	if out == nil {
		out = make([]byte, 0, len(w.text)+len(w.text)/2)
	}
	spec, status := versions[to].parts(c)
	return w.append(out, version, spec, status, o), false, nil
}

// readClaim decodes the spec and status.
func (w *workspace) readClaim(place int) (c any, unknown []string, err error) {
	obj := &w.object
	if obj.Kind == kindClaim {
		return versions[place].read(w, get(obj.members, "spec"), get(obj.members, "status"), obj.complete())
	}
	c, unknown, err = versions[place].read(w, get(obj.template, "spec"), nil, obj.complete())
	for i := range unknown {
		unknown[i] = joinPath("spec", unknown[i])
	}
	return c, unknown, within("spec", err)
}

// append writes the object with its members in the order they had.
func (w *workspace) append(out []byte, version string, spec, status any, o Options) []byte {
	obj := &w.object
	h := obj.Header
	h.Version = version
	hasMetadata := find(obj.members, "metadata") >= 0
	out = append(out, '{')
	for _, m := range obj.members {
		switch {
		case m.name == "apiVersion":
			out = jsonscan.AppendQuoted(appendName(out, m.name), h.APIVersion())
			if !hasMetadata { // the API server takes no answer without it
				out = obj.meta.append(appendName(out, "metadata"), o.TrimMetadata)
			}
		case m.name == "kind":
			out = append(appendName(out, m.name), m.value...)
		case m.name == "metadata":
			out = obj.meta.append(appendName(out, m.name), o.TrimMetadata)
		case m.name == "spec" && obj.Kind == kindTemplate:
			if string(m.value) != "null" {
				out = w.appendTemplate(appendName(out, m.name), spec)
			}
		case m.name == "spec" && spec != nil:
			out = w.appendValue(appendName(out, m.name), spec)
		case m.name == "status" && status != nil:
			out = w.appendValue(appendName(out, m.name), status)
		}
	}
	return append(out, '}')
}

// appendTemplate writes a template's spec. Metadata that holds nothing but what was ours is not there.
func (w *workspace) appendTemplate(out []byte, spec any) []byte {
	had := find(w.object.template, "metadata") >= 0
	out = append(out, '{')
	before := len(out)
	out = appendName(out, "metadata")
	empty := len(out) + len("{}")
	out = w.template.append(out, false)
	if len(out) == empty && (!had || w.template.changed()) {
		out = out[:before]
	}
	if spec != nil {
		out = w.appendValue(appendName(out, "spec"), spec)
	}
	return append(out, '}')
}
