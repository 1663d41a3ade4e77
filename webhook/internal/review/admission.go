package review

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json"
	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// admissionReviewer responds to AdmissionReviews with the response of a handler.
type admissionReviewer struct {
	handler admission.Handler
}

// review responds to an AdmissionReview of either version: their fields are the same. An error is an HTTP error.
func (a *admissionReviewer) review(ctx context.Context, _ *http.Request, body []byte) ([]byte, error) {
	var review admissionv1.AdmissionReview
	if err := decodeReview(body, &review); err != nil {
		return nil, err
	}
	hasRequest := review.Request != nil
	if !hasRequest {
		review.Request = &admissionv1.AdmissionRequest{}
	}
	err := checkReview(review.Kind, review.APIVersion, "AdmissionReview", admissionv1.GroupName,
		string(review.Request.UID), hasRequest)
	if err != nil {
		return nil, err
	}
	request := admission.Request{AdmissionRequest: *review.Request}
	response := a.handler.Handle(ctx, request)
	if response.Result != nil && response.Result.Code == http.StatusTooManyRequests {
		// An API server retries after this HTTP status, but not after a denial.
		return nil, httperror.TooBusy(httperror.ShedExpressions, response.Result.Message)
	}
	if err := response.Complete(request); err != nil {
		return nil, err
	}
	review = admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: &response.AdmissionResponse}
	return json.Marshal(review, encoding)
}
