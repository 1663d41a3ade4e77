package conversion

import "github.com/claimbridge/claimbridge/internal/jsonscan"

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
