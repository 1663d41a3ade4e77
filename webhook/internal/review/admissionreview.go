package review

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// admissionReview of admission.k8s.io, what there is to read in it. Its objects are parts of the body.
type admissionReview struct {
	typeMeta
	write admission.Request
}

func readAdmissionReview(body []byte) (*admissionReview, error) {
	review := &admissionReview{}
	r := newReader(body)
	for more := r.inObject(""); more; more = r.NextMember() {
		if review.read(&r) {
			review.readRequest(&r)
		}
	}
	return review, review.check(&r, "AdmissionReview", admissionv1.GroupName)
}

// readRequest leaves out who asks: a verdict does not depend on it.
func (review *admissionReview) readRequest(r *reader) {
	review.write = admission.Request{}
	request := &review.write
	for more := r.inObject("/request"); more; more = r.NextMember() {
		switch string(r.member()) {
		case "uid":
			request.UID = types.UID(r.text("/request/uid"))
		case "kind":
			r.texts("/request/kind", map[string]*string{
				"group": &request.Kind.Group, "version": &request.Kind.Version, "kind": &request.Kind.Kind,
			})
		case "resource":
			r.texts("/request/resource", map[string]*string{
				"group": &request.Resource.Group, "version": &request.Resource.Version, "resource": &request.Resource.Resource,
			})
		case "subResource":
			request.SubResource = string(r.text("/request/subResource"))
		case "name":
			request.Name = string(r.text("/request/name"))
		case "namespace":
			request.Namespace = string(r.text("/request/namespace"))
		case "operation":
			request.Operation = admissionv1.Operation(r.text("/request/operation"))
		case "object":
			request.Object.Raw = r.raw()
		case "oldObject":
			request.OldObject.Raw = r.raw()
		default:
			r.Skip()
		}
	}
}
