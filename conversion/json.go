package conversion

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/hub"
	"github.com/claimbridge/claimbridge/conversion/internal/preserve"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// JSON converts one object, a ResourceClaim or a ResourceClaimTemplate, to another version of its group. An object that
// has the version already is returned unchanged, byte for byte. With Options.Strict it is decoded all the same, and an
// unknown or duplicate field or a value of the wrong type is an error. Metadata is unchanged, except for labels and
// annotations of claimbridge. An error is an *Error.
func JSON(object []byte, version string, o Options) ([]byte, Report, error) {
	return Append(nil, object, version, o)
}

// Append is JSON, but appends the result to a buffer. If there is an error it returns the buffer unchanged. The buffer
// and the object must not overlap.
func Append(out, object []byte, version string, o Options) ([]byte, Report, error) {
	obj, err := readObject(object)
	if err != nil {
		return out, Report{}, failure(obj.Header, version, err)
	}
	report := Report{Group: strings.Clone(obj.Group), Version: strings.Clone(obj.Version)}
	converted, err := obj.convert(out, object, version, o, &report)
	if err != nil {
		return out, report, failure(obj.Header, version, err)
	}
	return converted, report, nil
}

// convert appends the object in another version.
func (obj *object) convert(out, text []byte, version string, o Options, report *Report) ([]byte, error) {
	if err := cmp.Or(checkVersion(obj.Version), checkVersion(version)); err != nil {
		return nil, err
	}
	isUnchanged := obj.Version == version
	if isUnchanged && !o.Strict && !o.inspects(version) {
		return append(out, text...), nil
	}
	if err := obj.readTemplateMetadata(); err != nil {
		return nil, err
	}
	claim, unknown, err := obj.readClaim()
	if err != nil {
		return nil, err
	}
	if !isUnchanged || o.Strict {
		report.Unknown = slices.Concat(obj.unknown, unknown)
	}
	if o.Strict && len(report.Unknown) > 0 {
		return nil, &UnknownFieldError{Fields: report.Unknown}
	}
	var partTexts preserve.Data
	if obj.Version == storedVersion && len(unknown) == 0 { // unknown fields are not preserved
		partTexts = obj.partTexts()
	}
	result, err := obj.convertClaim(claim, partTexts, version, o, len(text), report)
	if err != nil {
		return nil, err
	}
	if isUnchanged {
		return append(out, text...), nil
	}
	return obj.append(out, version, result, o), nil
}

// result is a converted claim. A part with a text is written as that text.
type result struct {
	claim hub.Claim
	text  preserve.Data
}

// convertClaim converts the claim of the object, and changes the object's labels and annotations accordingly. The texts
// are those of the parts if the claim is in v1. If the claim has the version already, it is only inspected.
func (obj *object) convertClaim(
	claim hub.Claim, texts preserve.Data, version string, o Options, size int, report *Report,
) (converted result, err error) {
	converted = result{claim: claim}
	if obj.Version == version {
		if o.inspects(version) {
			report.Findings = obj.findings(claim, report, nil)
		}
		return converted, nil
	}
	c := conversion{object: obj, preserved: obj.preserveObject(o), options: o, hubOptions: obj.hubOptions(o)}
	if o.Bare {
		report.Lost = c.lostFields(claim, version)
		converted.claim, err = hub.Convert(claim, version, c.hubOptions)
		return converted, err
	}
	converted, err = c.convert(claim, texts, version, size, report)
	for _, i := range c.ignored {
		if i.IsSuperseded() {
			report.Stale = append(report.Stale, i.String())
		} else {
			report.Ignored = append(report.Ignored, i.String())
		}
	}
	if o.inspects(version) && (err == nil || errors.Is(err, ErrIncomplete)) {
		report.Findings = obj.findings(converted.claim, report, c.ignored)
	}
	return converted, err
}

// conversion of a claim with its preserved data.
type conversion struct {
	object     *object
	preserved  *preserve.Object
	options    Options
	hubOptions hub.Options
	// ignored is preserved data that was removed and is not used.
	ignored []preserve.Ignored
}

func (c *conversion) convert(
	claim hub.Claim, texts preserve.Data, version string, size int, report *Report,
) (result, error) {
	older, isLossy := claim.(hub.LossyClaim)
	if !isLossy {
		preserve.RemoveMarks(c.preserved)
		inV1, err := claim.ToV1(c.hubOptions)
		if err != nil {
			return result{}, err
		}
		return c.project(source{claim: claim, inV1: inV1, texts: texts, size: size}, version, report)
	}
	taken := preserve.Take(c.preserved, older.PreservedStatus())
	defer func() { c.ignored = append(taken.Ignored, c.ignored...) }()
	if taken.NoStatus && older.HasEmptyStatus() {
		older.RemoveStatus()
	}
	spec, status := older.Parts()
	incomplete := taken.CheckComplete(c.preserved, spec != nil, status != nil, older.IsAllocated())
	if incomplete != nil && isOlder(version, c.object.Version) {
		// The copy is read, not written. It lacks the same data in the older version.
		read, err := hub.Convert(claim, version, c.hubOptions)
		if err == nil {
			report.Incomplete = taken.MarkAsRead(c.preserved)
		}
		return result{claim: read}, err
	}
	if incomplete != nil && !c.options.inspects(version) {
		return result{}, incomplete
	}
	from := source{claim: claim, size: size}
	var err error
	if taken.Spec != nil || taken.Status != nil {
		report.Lost = hub.LostFields(claim, c.hubOptions)
		var restored *preserve.Restored
		restored, err = preserve.Restore(c.preserved, older, c.object.Version, taken, c.hubOptions)
		if err != nil {
			return result{}, err
		}
		from.inV1 = restored.Claim
		from.texts = restored.Text
		from.isRestored = true
		report.RestoredSpec = restored.HasSpec
		report.RestoredStatus = restored.HasStatus
	} else if from.inV1, err = claim.ToV1(c.hubOptions); err != nil {
		return result{}, err
	}
	converted, err := c.project(from, version, report)
	return converted, cmp.Or(err, incomplete)
}

// source is a claim and its v1 form.
type source struct {
	claim hub.Claim
	inV1  *hub.V1
	// texts of the v1 form, if it is stored in these bytes.
	texts preserve.Data
	// isRestored is set if the v1 form has preserved parts.
	isRestored bool
	// size of the object in bytes.
	size int
}

// project returns a claim in a version, and stores in the object what the version cannot represent.
func (c *conversion) project(from source, version string, report *Report) (result, error) {
	converted := result{}
	var err error
	if from.isRestored {
		converted.claim, err = hub.FromV1(from.inV1, version, c.hubOptions)
	} else {
		converted.claim, err = hub.Convert(from.claim, version, c.hubOptions)
	}
	if !from.isRestored {
		report.Lost = c.lostFields(from.claim, version)
	}
	if err != nil {
		return converted, err
	}
	c.ignored = append(c.ignored, preserve.RemoveAnnotations(c.preserved)...)
	older, isLossy := converted.claim.(hub.LossyClaim)
	if !isLossy {
		if version == storedVersion {
			if from.isRestored {
				converted.text = from.texts
			} else if c.hubOptions.IsComplete {
				converted.claim = hub.WithoutEmptyDevices(converted.claim)
			}
		}
		c.dropUnknownToKubernetes(&converted, report)
		return converted, nil
	}
	if !from.isRestored && from.size > preserve.MaxStored {
		_, status := from.claim.Parts()
		report.Incomplete = preserve.MarkTruncated(c.preserved, from.size, status != nil, older.IsAllocated())
		return converted, nil
	}
	var data preserve.Data
	if from.isRestored || isOlder(version, c.object.Version) {
		data, err = preserve.DataToPreserve(from.inV1, older, from.texts, c.hubOptions)
	} else if c.options.AnnotationsOnly {
		_, err = older.ToV1(c.hubOptions) // the reverse conversion must not fail
	}
	if err != nil {
		return converted, err
	}
	useField := c.hubOptions.IsComplete && !c.options.AnnotationsOnly
	stored := preserve.Store(c.preserved, older, data, useField)
	report.Incomplete = stored.Incomplete
	if c.options.Carried {
		report.Carried = stored.Carried
	}
	return converted, nil
}

// lostFields returns the fields that are lost in a conversion to a version.
func (c *conversion) lostFields(claim hub.Claim, version string) []string {
	if !isOlder("v1alpha2", version) {
		return nil
	}
	return hub.LostFields(claim, c.hubOptions)
}

// dropUnknownToKubernetes removes status.claimbridgeDeallocationRequested from a manifest of resource.k8s.io: only the
// definitions of claimbridge have that field. It is reported by its name in the version of the object.
func (c *conversion) dropUnknownToKubernetes(converted *result, report *Report) {
	if !c.options.AnnotationsOnly || c.object.Group != api.Group {
		return
	}
	claim, isRemoved := hub.WithoutDeallocationRequested(converted.claim)
	if !isRemoved {
		return
	}
	converted.claim = claim
	converted.text.Status = nil
	field := "status.deallocationRequested"
	if !isOlder(c.object.Version, "v1beta1") {
		field = "status.claimbridgeDeallocationRequested"
	}
	report.Lost = append(report.Lost, field)
}

// inspects reports whether preserved data is inspected in a conversion to a version: only v1 uses all of it.
func (o Options) inspects(version string) bool { return o.Inspect && version == storedVersion }

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
