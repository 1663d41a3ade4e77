package preserve

import (
	"bytes"
	"fmt"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Place is the path of an annotation or field in which a part is preserved, with the size of the data.
type Place struct {
	Field string
	Part  Part
	Bytes int
}

// String names the place, the part and the size.
func (p Place) String() string { return fmt.Sprintf("%s: %s part, %d bytes", p.Field, p.Part, p.Bytes) }

// Store writes the data to preserve into the object and the claim. It returns the places, and the value of the label
// claimbridge.dev/incomplete, or "".
//
// Store writes the field only if mayUseField is set: only claimbridge's CRDs have the field. A claim without a status
// gets one if the field is needed for its spec. If the object was an incomplete copy before the conversion,
// missingInSource are the parts that it lacked then. It still lacks them. If the status is one of them, Store does not
// write the field, because a field without a status means that no status needs to be preserved.
func Store(
	o *Object, claim hub.LossyClaim, data Data, mayUseField bool, missingInSource MissingParts,
) (places []Place, incomplete string) {
	o.Metadata.Annotations.Delete(SpecAnnotation)
	o.Metadata.Annotations.Delete(StatusAnnotation)
	specFits := data.Spec == nil || o.hasRoomFor(len(SpecAnnotation)+len(data.Spec))
	canUseField := mayUseField && !missingInSource.status && !missingInSource.devices
	specNeedsField := canUseField && !specFits && !missingInSource.spec
	if specNeedsField && claim.PreservedField() == nil {
		claim.AddStatus()
		data.NoStatus = true
	}
	writesField := canUseField && claim.PreservedField() != nil
	p := placement{
		specInAnnotation: data.Spec != nil && specFits,
		specInField:      specNeedsField,
		statusInField:    writesField && data.Status != nil,
	}
	if p.specInAnnotation {
		o.Metadata.Annotations.Set(SpecAnnotation, string(data.Spec))
	}
	if p.specInField {
		storeDigest(o, digestOfSpec(data.Spec))
	}
	if data.Status != nil {
		p.statusInAnnotation = storeStatus(o, data.Status)
	}
	if writesField {
		*claim.PreservedField() = fieldValue(data, p.specInField)
	}
	missing := p.addMissingParts(missingInSource, o, data, claim.IsAllocated())
	missing.mark(o)
	return p.places(o, data), missing.String()
}

// placement says where data is preserved. A part can be in two places.
type placement struct {
	specInAnnotation, specInField     bool
	statusInAnnotation, statusInField bool
}

func (p placement) places(o *Object, data Data) (places []Place) {
	if p.specInAnnotation {
		places = append(places, Place{o.annotationPath(Spec), Spec, len(data.Spec)})
	}
	if p.statusInField {
		places = append(places, Place{StatusField, Status, len(data.Status)})
	}
	if p.statusInAnnotation {
		places = append(places, Place{o.annotationPath(Status), Status, len(o.statusAnnotationValue(data.Status))})
	}
	if p.specInField {
		places = append(places, Place{StatusField, Spec, len(data.Spec)})
	}
	return places
}

// addMissingParts adds the preserved parts that are not in an annotation. A part that is only in the field counts as
// missing, because a typed client drops the field.
func (p placement) addMissingParts(m MissingParts, o *Object, data Data, isAllocated bool) MissingParts {
	if data.Spec != nil && !p.specInAnnotation && !m.spec {
		m.spec = true
		m.bytes += len(data.Spec)
	}
	if data.Status != nil && !p.statusInAnnotation && !m.status && !m.devices {
		m.status = isAllocated
		m.devices = !isAllocated
		m.bytes += len(o.statusAnnotationValue(data.Status))
	}
	return m
}

// storeStatus writes a status into the annotation, and reports whether it fits.
func storeStatus(o *Object, status []byte) bool {
	value := o.statusAnnotationValue(status)
	if !o.hasRoomFor(len(StatusAnnotation) + len(value)) {
		return false
	}
	o.Metadata.Annotations.Set(StatusAnnotation, value)
	return true
}

func storeDigest(o *Object, digest string) {
	o.Metadata.Labels.Set(IncompleteDigest, digest)
	if o.hasRoomFor(len(IncompleteDigest) + len(digest)) {
		o.Metadata.Annotations.Set(IncompleteDigest, digest)
	}
}

func fieldValue(data Data, withSpec bool) string {
	switch {
	case !withSpec && data.Status != nil:
		return statusPrefix + string(data.Status)
	case !withSpec:
		return nothingStored
	case data.NoStatus:
		return specPrefix + `{"spec":` + string(data.Spec) + `}`
	case data.Status != nil:
		return specPrefix + `{"spec":` + string(data.Spec) + `,"status":` + string(data.Status) + `}`
	}
	return specPrefix + `{"spec":` + string(data.Spec) + `,"status":"` + nothing + `"}`
}

// DataToPreserve returns the parts of a v1 claim that the reverse conversion of a lossy claim does not return. The
// texts are those of the v1 claim as it was read or restored. They are nil if the claim was converted to v1.
func DataToPreserve(claim *hub.V1, lossy hub.LossyClaim, texts Texts, o hub.Options) (data Data, err error) {
	restored, err := lossy.ToV1(o)
	if err != nil {
		return data, err
	}
	if o.Manifest { // an empty list in a manifest is equivalent to no list
		texts = Texts{}
	}
	data.Spec = lostPart(claim.Spec, restored.Spec, texts.Spec, o)
	data.Status = lostPart(claim.Status, restored.Status, texts.Status, o)
	_, isV1alpha3 := lossy.(*hub.V1alpha3) // its allocation names requests itself
	if data.Spec == nil || data.Status != nil || isV1alpha3 || !lossy.IsAllocated() {
		return data, nil
	}
	// The allocation was compared as if a client removed the preserved spec. If the spec is restored, the allocation is
	// for its first request instead. Compare that one too: the status is preserved if either one differs.
	restored, err = lossy.ToV1For(firstRequest(claim.Spec), o)
	if err != nil {
		return data, err
	}
	data.Status = lostPart(claim.Status, restored.Status, texts.Status, o)
	return data, nil
}

// firstRequest returns the name of the first request of a spec, or "".
func firstRequest(spec *v1.ResourceClaimSpec) string {
	if spec == nil || len(spec.Devices.Requests) == 0 {
		return ""
	}
	return spec.Devices.Requests[0].Name
}

// lostPart returns the JSON of a part that differs from the restored one, or nil if both are equal. The text is that
// from which the part was decoded, or nil if the part was converted.
func lostPart[T any](part, restored *T, text []byte, o hub.Options) []byte {
	if part == nil {
		return nil
	}
	const withAllDigits = true
	isEqual := restored != nil && equalValues(part, restored, withAllDigits)
	switch {
	case isEqual && (text == nil || roundTrips(text, part, restored)):
		return nil
	case text != nil:
		return objectjson.AppendCompact(make([]byte, 0, len(text)), text)
	case o.Manifest:
		return objectjson.Marshal(part)
	}
	return objectjson.CanonicalWithDigits(objectjson.Marshal(part)) // as an API server stores it
}

// roundTrips reports whether a restored part has the content of the text from which the part was decoded. The restored
// part is equal to the part, but the text may have empty values, which the restored part does not have.
func roundTrips(text []byte, part, restored any) bool {
	// This is fast, and true for most texts. Marshal writes no empty value and no white space, and as few escapes as
	// possible, so no text of the part is shorter. Only a quantity has shorter spellings, but no lossy version represents
	// quantities, so the restored part would not be equal. A text of this length therefore has no empty value, and
	// differs from that of the restored part at most in the order of members.
	if len(text) == len(objectjson.Marshal(part)) {
		return true
	}
	return bytes.Equal(objectjson.CanonicalWithDigits(text),
		objectjson.CanonicalWithDigits(objectjson.Marshal(restored)))
}
