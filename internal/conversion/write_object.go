package conversion

import (
	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// appendJSON writes the converted object, with its members in their order.
func (obj *object) appendJSON(out []byte, version string, converted result, o Options) []byte {
	spec, status := converted.claim.SpecAndStatus()
	header := obj.Header
	header.Version = version
	hasMetadata := objectjson.Find(obj.Members, "metadata") >= 0
	out = append(out, '{')
	for _, m := range obj.Members {
		switch {
		case m.Name == "apiVersion":
			out = objectjson.AppendQuoted(objectjson.AppendName(out, m.Name), header.APIVersion())
			if !hasMetadata { // an API server rejects a response without metadata
				out = obj.Metadata.Append(objectjson.AppendName(out, "metadata"), o.TrimMetadata)
			}
		case m.Name == "kind":
			out = append(objectjson.AppendName(out, m.Name), m.Value...)
		case m.Name == "metadata":
			out = obj.Metadata.Append(objectjson.AppendName(out, m.Name), o.TrimMetadata)
		case m.Name == "spec" && obj.Kind == api.KindTemplate:
			if spec != nil || !objectjson.IsAbsentOrNull(m.Value) {
				out = obj.appendTemplate(objectjson.AppendName(out, m.Name), spec, converted.texts.Spec)
			}
		case m.Name == "spec" && spec != nil:
			out = appendPart(objectjson.AppendName(out, m.Name), spec, converted.texts.Spec)
		case m.Name == "status" && status != nil:
			out = appendPart(objectjson.AppendName(out, m.Name), status, converted.texts.Status)
		}
	}
	if spec != nil && objectjson.Find(obj.Members, "spec") < 0 {
		out = objectjson.AppendName(out, "spec")
		if obj.Kind == api.KindTemplate {
			out = obj.appendTemplate(out, spec, converted.texts.Spec)
		} else {
			out = appendPart(out, spec, converted.texts.Spec)
		}
	}
	if status != nil && obj.Kind == api.KindClaim && objectjson.Find(obj.Members, "status") < 0 {
		out = appendPart(objectjson.AppendName(out, "status"), status, converted.texts.Status)
	}
	return append(out, '}')
}

// appendPart writes the text of a part, or the part itself if the text is nil.
func appendPart(out []byte, part any, text []byte) []byte {
	if text != nil {
		return append(out, text...)
	}
	return append(out, objectjson.Marshal(part)...)
}

// appendTemplate writes the spec of a template. Metadata is left out if it is empty without the preserved data.
func (obj *object) appendTemplate(out []byte, spec any, text []byte) []byte {
	hadMetadata := objectjson.Find(obj.template, "metadata") >= 0
	metadata := obj.templateMetadata.Append(nil, false)
	out = append(out, '{')
	if string(metadata) != "{}" || hadMetadata && !obj.templateMetadata.IsChanged() {
		out = append(objectjson.AppendName(out, "metadata"), metadata...)
	}
	if spec != nil {
		out = appendPart(objectjson.AppendName(out, "spec"), spec, text)
	}
	return append(out, '}')
}
