package review

import (
	stdjson "encoding/json"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// admitter answers AdmissionReviews with what a handler says of the writes in them.
type admitter struct {
	handler admission.Handler
}

// admissionReview of admission.k8s.io, what there is to read in it. It leaves out who asks: a
// verdict does not depend on it.
type admissionReview struct {
	metav1.TypeMeta `json:",inline"`
	Request         *struct {
		UID         types.UID                   `json:"uid"`
		Kind        metav1.GroupVersionKind     `json:"kind"`
		Resource    metav1.GroupVersionResource `json:"resource"`
		SubResource string                      `json:"subResource"`
		Name        string                      `json:"name"`
		Namespace   string                      `json:"namespace"`
		Operation   admissionv1.Operation       `json:"operation"`
		Object      jsontext.Value              `json:"object"`
		OldObject   jsontext.Value              `json:"oldObject"`
	} `json:"request"`
}

// read a review. Its objects count together.
func (review *admissionReview) read(c *call) error {
	c.most = 2 * maxObject
	err := json.UnmarshalRead(c, review, leniently)
	if err == nil {
		err = checkReview(review.Kind, review.APIVersion, "AdmissionReview", admissionv1.GroupName,
			review.Request != nil)
	}
	if err == nil && len(review.Request.UID) > maxText {
		err = notAReview("the uid is longer than %d bytes", maxText)
	}
	return c.unreadable(err)
}

// write that a review asks about.
func (review *admissionReview) write() (write admission.Request) {
	asked := review.Request
	write.UID, write.Kind, write.Resource, write.SubResource = asked.UID, asked.Kind, asked.Resource, asked.SubResource
	write.Name, write.Namespace, write.Operation = asked.Name, asked.Namespace, asked.Operation
	write.Object, write.OldObject = rawOf(asked.Object), rawOf(asked.OldObject)
	return write
}

// rawOf a value; null is none.
func rawOf(value jsontext.Value) runtime.RawExtension {
	if value.Kind() == 'n' {
		return runtime.RawExtension{}
	}
	return runtime.RawExtension{Raw: value}
}

func (a *admitter) serve(w http.ResponseWriter, c *call) error {
	var review admissionReview
	if err := review.read(c); err != nil {
		return err
	}
	ctx, cancel := c.context()
	defer cancel()
	response := a.handler.Handle(ctx, review.write()).AdmissionResponse
	if ctx.Err() != nil { // no verdict: the API server asks again, and then its failurePolicy decides
		return refusal.TooLate()
	}
	if response.Result != nil && response.Result.Code == http.StatusTooManyRequests {
		// an API server asks again when HTTP says so
		return refusal.TooBusy(refusal.ShedExpressions, response.Result.Message)
	}
	response.UID = review.Request.UID
	// Both versions of the review have the same members.
	out, err := stdjson.Marshal(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: &response})
	if err != nil {
		return err
	}
	(&answer{to: w, out: out}).finish()
	return nil
}
