package conversion

import (
	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// append writes the converted object, with its members in their order.
func (obj *object) append(out []byte, version string, converted result, o Options) []byte {
	spec, status := converted.claim.Parts()
	header := obj.Header
	header.Version = version
	hasMetadata := kjson.Find(obj.Members, "metadata") >= 0
	out = append(out, '{')
	for _, m := range obj.Members {
		switch {
		case m.Name == "apiVersion":
			out = kjson.AppendQuoted(kjson.AppendName(out, m.Name), header.APIVersion())
			if !hasMetadata && !o.Bare { // an API server rejects an answer without metadata
				out = obj.Metadata.Append(kjson.AppendName(out, "metadata"), o.TrimMetadata)
			}
		case m.Name == "kind":
			out = append(kjson.AppendName(out, m.Name), m.Value...)
		case m.Name == "metadata":
			out = obj.Metadata.Append(kjson.AppendName(out, m.Name), o.TrimMetadata)
		case m.Name == "spec" && obj.Kind == api.KindTemplate:
			if !kjson.IsNull(m.Value) {
				out = obj.appendTemplate(kjson.AppendName(out, m.Name), spec, converted.text.Spec)
			}
		case m.Name == "spec" && spec != nil:
			out = appendPart(kjson.AppendName(out, m.Name), spec, converted.text.Spec)
		case m.Name == "status" && status != nil:
			out = appendPart(kjson.AppendName(out, m.Name), status, converted.text.Status)
		}
	}
	if status != nil && obj.Kind == api.KindClaim && kjson.Find(obj.Members, "status") < 0 {
		out = appendPart(kjson.AppendName(out, "status"), status, converted.text.Status)
	}
	return append(out, '}')
}

// appendPart writes the text, or the part if there is none.
func appendPart(out []byte, part any, text []byte) []byte {
	if text != nil {
		return append(out, text...)
	}
	return kjson.Append(out, part)
}

// appendTemplate writes the spec of a template. Metadata that had only preserved data is left out.
func (obj *object) appendTemplate(out []byte, spec any, text []byte) []byte {
	hadMetadata := kjson.Find(obj.template, "metadata") >= 0
	out = append(out, '{')
	begin := len(out)
	out = kjson.AppendName(out, "metadata")
	emptyEnd := len(out) + len("{}")
	out = obj.templateMetadata.Append(out, false)
	if len(out) == emptyEnd && (!hadMetadata || obj.templateMetadata.Changed()) {
		out = out[:begin]
	}
	if spec != nil {
		out = appendPart(kjson.AppendName(out, "spec"), spec, text)
	}
	return append(out, '}')
}
