package preserve

import (
	"bytes"
	"fmt"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Place is where a part is preserved, with its size.
type Place struct {
	Field string
	Part  Part
	Bytes int
}

// String names the place, the part and the size.
func (p Place) String() string { return fmt.Sprintf("%s: %s part, %d bytes", p.Field, p.Part, p.Bytes) }

// Store writes the data to preserve into the object and the claim. It uses the field only if useField is set: the field
// needs the definitions of claimbridge. A claim without a status gets one if the field is needed for its spec. Store
// returns the places, and the value of the label claimbridge.dev/incomplete, or "".
func Store(o *Object, claim hub.LossyClaim, data Data, useField bool) (places []Place, incomplete string) {
	o.Metadata.Annotations.Delete(SpecAnnotation)
	o.Metadata.Annotations.Delete(StatusAnnotation)
	specFits := data.Spec == nil || o.hasRoomFor(len(SpecAnnotation)+len(data.Spec))
	var field *string
	if useField {
		if _, status := claim.SpecAndStatus(); status == nil && !specFits {
			claim.AddStatus()
			data.NoStatus = true
		}
		field = claim.LeftoverField()
	}
	var m missing
	specInField := false
	switch {
	case data.Spec == nil:
	case specFits:
		o.Metadata.Annotations.Set(SpecAnnotation, string(data.Spec))
		places = append(places, Place{o.annotationPath(Spec), Spec, len(data.Spec)})
	default:
		m.spec = true
		m.bytes += len(data.Spec)
		specInField = field != nil
	}
	if specInField {
		storeDigest(o, digestOfSpec(data.Spec))
	}
	if data.Status != nil {
		if field != nil {
			places = append(places, Place{StatusField, Status, len(data.Status)})
		}
		annotation := o.statusAnnotationValue(data.Status)
		if o.hasRoomFor(len(StatusAnnotation) + len(annotation)) {
			o.Metadata.Annotations.Set(StatusAnnotation, annotation)
			places = append(places, Place{o.annotationPath(Status), Status, len(annotation)})
		} else {
			m.status = claim.IsAllocated()
			m.devices = !claim.IsAllocated()
			m.bytes += len(annotation)
		}
	}
	if specInField {
		places = append(places, Place{StatusField, Spec, len(data.Spec)})
	}
	if field != nil {
		*field = fieldValue(data, specInField)
	}
	return places, m.mark(o)
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

// DataToPreserve returns the parts of a v1 claim that the reverse conversion of an older claim does not return. The
// text is that of the v1 claim as it was read. Its parts are nil if the claim was converted to v1.
func DataToPreserve(claim *hub.V1, older hub.LossyClaim, text Texts, o hub.Options) (data Data, err error) {
	o.Request = ""
	restored, err := older.ToV1(o)
	if err != nil {
		return data, err
	}
	if o.IsManifest { // an empty list in a manifest means nothing
		text = Texts{}
	}
	data.Spec = lostPart(claim.Spec, restored.Spec, text.Spec, o)
	data.Status = lostPart(claim.Status, restored.Status, text.Status, o)
	_, namesRequest := older.(*hub.V1alpha3)
	if data.Spec == nil || data.Status != nil || namesRequest || !older.IsAllocated() {
		return data, nil
	}
	// The allocation must be the same whether the spec is restored, which names the request, or a client removed it.
	o.Request = firstRequest(claim.Spec)
	restored, err = older.ToV1(o)
	if err != nil {
		return data, err
	}
	data.Status = lostPart(claim.Status, restored.Status, text.Status, o)
	return data, nil
}

// firstRequest returns the name of the first request of a spec, or "".
func firstRequest(spec *v1.ResourceClaimSpec) string {
	if spec == nil || len(spec.Devices.Requests) == 0 {
		return ""
	}
	return spec.Devices.Requests[0].Name
}

// lostPart returns the JSON of a part that differs from the restored one, or nil if both are equal. The text is that of
// the part as it was read, or nil if the part was converted.
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
	case o.IsManifest:
		return objectjson.Marshal(part)
	}
	return objectjson.CanonicalWithDigits(objectjson.Marshal(part)) // as an API server stores it
}

// roundTrips reports whether a restored part, which is equal to the part, has the content of the text, from which the
// part was read. The text may have empty values that the restored part does not have.
func roundTrips(text []byte, part, restored any) bool {
	// What Marshal returns is the shortest spelling of the part, except for quantities, which no
	// lossy version has. A text of the same length has the same content.
	if len(text) == len(objectjson.Marshal(part)) {
		return true
	}
	return bytes.Equal(objectjson.CanonicalWithDigits(text),
		objectjson.CanonicalWithDigits(objectjson.Marshal(restored)))
}
