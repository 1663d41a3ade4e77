package review

import (
	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// admissionReview of admission.k8s.io, what there is to read in it. Its objects are parts of the body.
type admissionReview struct {
	typeMeta
	request admission.Request
}

func readAdmissionReview(body []byte) (*admissionReview, error) {
	review := &admissionReview{}
	r := newReader(body)
	return review, review.read(&r, "AdmissionReview", admissionv1.GroupName, func() error {
		review.request = admission.Request{}
		return readAdmissionRequest(&r, &review.request.AdmissionRequest)
	})
}

// readAdmissionRequest leaves out who asks: a verdict does not depend on it.
func readAdmissionRequest(r *reader, request *admissionv1.AdmissionRequest) error {
	return r.object(func(name []byte) error {
		switch string(name) {
		case "uid":
			return r.text((*string)(&request.UID))
		case "kind":
			return r.texts(map[string]*string{"group": &request.Kind.Group, "version": &request.Kind.Version, "kind": &request.Kind.Kind})
		case "resource":
			return r.texts(map[string]*string{"group": &request.Resource.Group, "version": &request.Resource.Version, "resource": &request.Resource.Resource})
		case "subResource":
			return r.text(&request.SubResource)
		case "name":
			return r.text(&request.Name)
		case "namespace":
			return r.text(&request.Namespace)
		case "operation":
			return r.text((*string)(&request.Operation))
		case "object":
			return r.raw(&request.Object.Raw)
		case "oldObject":
			return r.raw(&request.OldObject.Raw)
		}
		return r.skip()
	})
}
