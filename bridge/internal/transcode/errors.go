package transcode

import (
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func statusError(code int32, reason metav1.StatusReason, format string, values ...any) error {
	return &apierrors.StatusError{ErrStatus: NewStatus(code, reason, fmt.Sprintf(format, values...))}
}

func badRequest(format string, values ...any) error {
	return statusError(http.StatusBadRequest, metav1.StatusReasonBadRequest, format, values...)
}

func notAcceptable(format string, values ...any) error {
	return statusError(http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, format, values...)
}

func unsupportedMediaType(format string, values ...any) error {
	return statusError(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, format, values...)
}

func tooLarge(format string, values ...any) error {
	return statusError(http.StatusRequestEntityTooLarge, metav1.StatusReasonRequestEntityTooLarge, format, values...)
}

// unprocessable is the error for a patch that cannot be applied to the object.
func unprocessable(err error) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: fmt.Sprintf("cannot apply the patch: %v", err), Details: &metav1.StatusDetails{},
	}}
}

// invalidPatch is the error for a patch whose result is not an object of the kind.
func invalidPatch(err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), field.OmitValueType{}, err.Error()),
	})
}
