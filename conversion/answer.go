package conversion

import (
	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// append writes the object with its members in the order they had.
func (w *workspace) append(out []byte, version string, spec, status any, o Options) []byte {
	obj := &w.object
	h := obj.Header
	h.Version = version
	hasMetadata := kjson.Find(obj.Members, "metadata") >= 0
	out = append(out, '{')
	for _, m := range obj.Members {
		switch {
		case m.Name == "apiVersion":
			out = kjson.AppendQuoted(kjson.AppendName(out, m.Name), h.APIVersion())
			if !hasMetadata && !o.Bare { // the API server takes no answer without it
				out = obj.Metadata.Append(kjson.AppendName(out, "metadata"), o.TrimMetadata)
			}
		case m.Name == "kind":
			out = append(kjson.AppendName(out, m.Name), m.Value...)
		case m.Name == "metadata":
			out = obj.Metadata.Append(kjson.AppendName(out, m.Name), o.TrimMetadata)
		case m.Name == "spec" && obj.Kind == api.KindTemplate:
			if string(m.Value) != "null" {
				out = w.appendTemplate(kjson.AppendName(out, m.Name), spec)
			}
		case m.Name == "spec" && spec != nil:
			out = w.appendValue(kjson.AppendName(out, m.Name), spec)
		case m.Name == "status" && status != nil:
			out = w.appendValue(kjson.AppendName(out, m.Name), status)
		}
	}
	if status != nil && obj.Kind == api.KindClaim && kjson.Find(obj.Members, "status") < 0 {
		out = w.appendValue(kjson.AppendName(out, "status"), status)
	}
	return append(out, '}')
}

// appendTemplate writes a template's spec. Metadata that holds nothing but what was ours is not there.
func (w *workspace) appendTemplate(out []byte, spec any) []byte {
	had := kjson.Find(w.object.template, "metadata") >= 0
	out = append(out, '{')
	before := len(out)
	out = kjson.AppendName(out, "metadata")
	empty := len(out) + len("{}")
	out = w.template.Append(out, false)
	if len(out) == empty && (!had || w.template.Changed()) {
		out = out[:before]
	}
	if spec != nil {
		out = w.appendValue(kjson.AppendName(out, "spec"), spec)
	}
	return append(out, '}')
}
