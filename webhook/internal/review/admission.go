package review

import (
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// admitter answers AdmissionReviews with what a handler says of the writes in them.
type admitter struct {
	handler admission.Handler
	budget  *budget
}

func (a *admitter) answer(c caller, _ *http.Request, body []byte) (answer, error) {
	review, err := readAdmissionReview(body)
	if err != nil {
		return answer{}, err
	}
	held, err := a.budget.toWork(c, review.write.Object.Raw, review.write.OldObject.Raw)
	if err != nil {
		return answer{}, err
	}
	defer held.release()
	ctx, cancel := c.context()
	defer cancel()
	response := a.handler.Handle(ctx, review.write).AdmissionResponse
	if ctx.Err() != nil { // no verdict: the API server asks again, and then its failurePolicy decides
		return answer{}, tooLate()
	}
	if response.Result != nil && response.Result.Code == http.StatusTooManyRequests { // an API server asks again when HTTP says so
		return answer{}, tooManyExpressions()
	}
	response.UID = review.write.UID
	// Both versions of the review have the same members.
	out, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: string(review.apiVersion), Kind: string(review.kind)},
		Response: &response,
	})
	return answer{last: out}, err
}
