package conversion

import (
	"cmp"
	"errors"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
)

// result is a converted claim. A part with a text is written as that text, and any other part is encoded.
type result struct {
	claim hub.Claim
	texts preserve.Texts
}

// convertClaim converts the claim of the object, and changes the object's labels and annotations accordingly. The texts
// are set only for a v1 claim. A claim that already has the target version is inspected, if the options ask for it, and
// not converted.
func (obj *object) convertClaim(
	claim hub.Claim, texts preserve.Texts, version string, o Options, size int, report *Report,
) (result, error) {
	if obj.Version == version {
		if o.inspects(version) {
			report.Findings = obj.findings(claim, report, nil)
		}
		return result{claim: claim}, nil
	}
	hubOptions := obj.hubOptions(o)
	if spec, _ := claim.SpecAndStatus(); spec == nil && hubOptions.WantsDefaults() {
		// Some versions do not allow a claim without a spec. Kubernetes' own API server adds an empty one.
		claim.AddSpec()
		texts.Spec = nil
	}
	c := converter{
		object:     obj,
		version:    version,
		options:    o,
		hubOptions: hubOptions,
		preserved:  obj.preservationTarget(o),
		report:     report,
	}
	converted, err := c.convertAndPreserve(claim, texts, size)
	for _, data := range c.ignored {
		if data.IsStale {
			report.Stale = append(report.Stale, data.String())
		} else {
			report.Ignored = append(report.Ignored, data.String())
		}
	}
	if o.inspects(version) && (err == nil || errors.Is(err, ErrIncomplete)) {
		report.Findings = obj.findings(converted.claim, report, c.ignored)
	}
	return converted, err
}

// converter converts a claim with its preserved data to a version.
type converter struct {
	object     *object
	version    string
	options    Options
	hubOptions hub.Options
	preserved  *preserve.Object
	// ignored is preserved data that is not used.
	ignored []preserve.Ignored
	report  *Report
}

// source is a claim and its v1 form.
type source struct {
	claim hub.Claim
	// inV1 is nil if the conversion does not need it.
	inV1 *hub.V1
	// texts has the v1 spec and the v1 status as they were stored, each if it is known.
	texts preserve.Texts
	// isRestored is set if the v1 form was restored from preserved data.
	isRestored bool
	// missing has the parts of the v1 form that an incomplete copy lacks.
	missing preserve.MissingParts
	// size of the object in bytes.
	size int
}

// convertAndPreserve converts the claim, and preserves the data that the target version cannot represent. If the error
// wraps ErrIncomplete, the result is valid for inspection if the options ask for it, and otherwise empty.
func (c *converter) convertAndPreserve(claim hub.Claim, texts preserve.Texts, size int) (result, error) {
	lossy, isLossy := claim.(hub.LossyClaim)
	if !isLossy {
		preserve.RemoveMarks(c.preserved)
		inV1, err := claim.ToV1(c.hubOptions)
		if err != nil {
			return result{}, err
		}
		return c.project(source{claim: claim, inV1: inV1, texts: texts, size: size})
	}
	extracted := preserve.Extract(c.preserved, lossy.PreservedField())
	c.ignored = extracted.Ignored
	if extracted.NoStatus {
		lossy.RemoveEmptyStatus()
	}
	spec, status := lossy.SpecAndStatus()
	missing, incomplete := extracted.CheckComplete(c.preserved, spec != nil, status != nil, lossy.IsAllocated())
	if isOlder(c.version, c.object.Version) {
		incomplete = nil // the older copy is incomplete too, and is labeled
	}
	if incomplete != nil && !c.options.inspects(c.version) {
		return result{}, incomplete
	}
	from, err := c.restore(lossy, extracted)
	if err != nil {
		return result{}, err
	}
	from.missing = missing
	from.size = size
	converted, err := c.project(from)
	return converted, cmp.Or(err, incomplete)
}

// restore returns the v1 form of a claim in a lossy version, with its preserved parts.
func (c *converter) restore(lossy hub.LossyClaim, extracted *preserve.Extracted) (source, error) {
	if extracted.Spec == nil && extracted.Status == nil {
		c.report.Lost = c.lostFields(lossy)
		from := source{claim: lossy}
		var err error
		if c.needsV1() {
			from.inV1, err = lossy.ToV1(c.hubOptions)
		}
		return from, err
	}
	c.report.Lost = hub.LostFields(lossy, c.hubOptions)
	restored, err := preserve.Restore(c.preserved, lossy, c.object.Version, extracted, c.hubOptions)
	c.ignored = append(c.ignored, restored.Ignored...)
	if err != nil {
		return source{}, err
	}
	c.report.RestoredSpec = restored.HasSpec
	c.report.RestoredStatus = restored.HasStatus
	return source{claim: lossy, inV1: restored.Claim, texts: restored.Texts, isRestored: true}, nil
}

// project returns a claim in the version. Data that the version cannot represent is preserved in the object. Preserved
// data that was not restored is removed from the object.
func (c *converter) project(from source) (result, error) {
	projected, err := c.projectClaim(from)
	if err != nil {
		return result{}, err
	}
	c.ignored = append(c.ignored, preserve.RemoveAnnotations(c.preserved)...)
	if lossy, isLossy := projected.(hub.LossyClaim); isLossy {
		return result{claim: projected}, c.preserveRest(from, lossy)
	}
	return c.dropDeallocationRequested(c.losslessResult(projected, from)), nil
}

// losslessResult returns the result for a claim in a lossless version. If that is v1, restored parts keep their texts,
// and empty lists, which older versions cannot represent, are removed.
func (c *converter) losslessResult(claim hub.Claim, from source) result {
	switch {
	case c.version != storedVersion:
		return result{claim: claim}
	case from.isRestored:
		return result{claim: claim, texts: from.texts}
	case !c.hubOptions.IsFragment:
		return result{claim: hub.WithoutEmptyDevices(claim)}
	}
	return result{claim: claim}
}

// needsV1 reports whether the conversion goes through v1, or has to preserve data of v1.
func (c *converter) needsV1() bool {
	return api.IsLossless(c.version) || isOlder(c.version, c.object.Version)
}

// projectClaim returns a claim in the version. A restored claim is projected from v1.
func (c *converter) projectClaim(from source) (hub.Claim, error) {
	_, isLossy := from.claim.(hub.LossyClaim)
	if isLossy && !from.isRestored && !api.IsLossless(c.version) {
		return hub.Convert(from.claim, c.version, c.hubOptions)
	}
	return hub.FromV1(from.inV1, c.version, c.hubOptions)
}

// preserveRest stores in the object the data of the source that the projected claim does not represent.
func (c *converter) preserveRest(from source, projected hub.LossyClaim) error {
	if !from.isRestored && from.size > preserve.MaxStored {
		c.report.Incomplete = preserve.MarkTooLarge(c.preserved, projected, from.size, from.missing)
		return nil
	}
	var data preserve.Data
	var err error
	if from.isRestored || isOlder(c.version, c.object.Version) {
		data, err = preserve.DataToPreserve(from.inV1, projected, from.texts, c.hubOptions)
	} else if c.options.Manifest {
		_, err = projected.ToV1(c.hubOptions) // the reverse conversion must not fail
	}
	if err != nil {
		return err
	}
	mayUseField := !c.hubOptions.IsFragment && !c.options.Manifest
	places, incomplete := preserve.Store(c.preserved, projected, data, mayUseField, from.missing)
	c.report.Incomplete = incomplete
	if c.options.ListPreserved {
		for _, place := range places {
			c.report.Preserved = append(c.report.Preserved, place.String())
		}
	}
	return nil
}

// lostFields returns the fields of a claim that are lost in the version.
func (c *converter) lostFields(claim hub.Claim) []string {
	if !api.HasDevices(c.version) {
		return nil
	}
	return hub.LostFields(claim, c.hubOptions)
}

// dropDeallocationRequested returns a manifest of resource.k8s.io without status.claimbridgeDeallocationRequested: only
// claimbridge's CRDs have that field. It is reported by its name in the version of the object.
func (c *converter) dropDeallocationRequested(converted result) result {
	if !c.options.Manifest || c.object.Group != api.Group {
		return converted
	}
	claim, isRemoved := hub.WithoutDeallocationRequested(converted.claim)
	if !isRemoved {
		return converted
	}
	converted.claim = claim
	converted.texts.Status = nil
	field := "status.deallocationRequested"
	if api.IsLossless(c.object.Version) {
		field = "status.claimbridgeDeallocationRequested"
	}
	c.report.Lost = append(c.report.Lost, field)
	return converted
}

// inspects reports whether to fill in Report.Findings in a conversion to a version: only conversions to v1 read all
// preserved data.
func (o Options) inspects(version string) bool { return o.Inspect && version == storedVersion }
