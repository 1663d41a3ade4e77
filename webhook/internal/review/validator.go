package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// validator allows or denies writes of claims and templates, as the API server of a release does.
//
// It denies writes of anything but claims and templates of a served group, and of subresources other than status: a
// webhook configuration with a rule for other resources protects nothing, and its author should learn that. Such a
// configuration can always be corrected, because API servers call no webhook for webhook configurations. Deletes are
// always allowed.
type validator struct {
	Options
	// validate is validation.Validate.
	validate func(context.Context, validation.Request) (validation.Result, error)
	// denials limits the log lines about denied writes.
	denials *loglimit.Limiter
}

// Results, values of a label of a metric.
const (
	resultAllowed      = "allowed"
	resultDenied       = "denied"
	resultNotValidated = "unjudged" // a public name: dashboards use it
)

// Handle validates one write. It implements controller-runtime's admission.Handler.
func (v *validator) Handle(ctx context.Context, request admission.Request) admission.Response {
	operation, err := v.operation(request)
	if err != nil {
		return v.notValidated(request, operation, err)
	}
	if operation == validation.Delete {
		v.Metrics.CountValidation(request.Kind.Version, operation, resultAllowed, nil)
		return admission.Allowed("")
	}
	result, err := v.validate(ctx, validation.Request{
		Operation: operation, Object: request.Object.Raw, OldObject: request.OldObject.Raw,
		Release: v.Releases[request.Kind.Version], StoredRelease: v.Releases[conversion.Stored()],
	})
	switch {
	// Neither of the first two is a result, so they are not counted or logged as one.
	case ctx.Err() != nil:
		return admission.Errored(http.StatusServiceUnavailable, httperror.DeadlineExceeded())
	case errors.Is(err, validation.ErrBusy):
		return admission.Errored(http.StatusTooManyRequests, err)
	case err != nil:
		return v.notValidated(request, operation, err)
	case len(result.Errors) > 0:
		v.Metrics.CountValidation(request.Kind.Version, operation, resultDenied, result.Errors)
		v.logDenial(request, operation, result.Errors)
		return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{
			Result: newInvalidStatus(request, result.Errors), Warnings: result.Warnings,
		}}
	}
	v.Metrics.CountValidation(request.Kind.Version, operation, resultAllowed, nil)
	return admission.Allowed("").WithWarnings(result.Warnings...)
}

// operation returns the operation of a request, or an error if the validator does not validate such requests.
func (v *validator) operation(request admission.Request) (validation.Operation, error) {
	if request.Operation == admissionv1.Delete {
		return validation.Delete, nil
	}
	if err := v.Groups.checkRequest(request, "ValidatingWebhookConfiguration"); err != nil {
		return "", err
	}
	switch {
	case request.Operation == admissionv1.Create && request.SubResource == "":
		return validation.Create, nil
	case request.Operation == admissionv1.Update && request.SubResource == "":
		return validation.Update, nil
	case request.Operation == admissionv1.Update && request.SubResource == "status":
		return validation.UpdateStatus, nil
	}
	return "", fmt.Errorf("operation %q of subresource %q is not supported, only CREATE, UPDATE and DELETE, and "+
		"UPDATE of status: narrow the rules of the ValidatingWebhookConfiguration",
		httperror.Truncate(string(request.Operation), 32), httperror.Truncate(request.SubResource, 63))
}

// resources are the resources of claims by kind.
var resources = map[string]string{api.KindClaim: api.ResourceClaims, api.KindTemplate: api.ResourceTemplates}

// checkRequest returns an error unless a write is of a claim or a template in a served group. The error names the kind
// of the webhook configuration that sent it.
func (g Groups) checkRequest(request admission.Request, configuration string) error {
	kind := request.Kind
	if plural, known := resources[kind.Kind]; !known || request.Resource.Resource != plural {
		return fmt.Errorf("resource %q of kind %q is not supported, only resourceclaims and resourceclaimtemplates: "+
			"narrow the rules of the %s",
			httperror.Truncate(request.Resource.Resource, 63), httperror.Truncate(kind.Kind, 63), configuration)
	}
	if metrics.VersionLabel(kind.Version) == metrics.Other {
		return fmt.Errorf("version %q is not supported, only %s: narrow the rules of the %s",
			httperror.Truncate(kind.Version, 63), strings.Join(conversion.Versions(), ", "), configuration)
	}
	return g.check(kind.Group)
}

// notValidated denies a write that cannot be validated.
func (v *validator) notValidated(
	request admission.Request, operation validation.Operation, err error,
) admission.Response {
	v.Metrics.CountValidation(request.Kind.Version, operation, resultNotValidated, nil)
	logRejection(v.Logger, v.denials, "Cannot validate", request, err,
		"operation", httperror.Truncate(string(request.Operation), 32))
	return badRequest(err)
}

// badRequest denies a write with code 400.
func badRequest(err error) admission.Response {
	status := apierrors.NewBadRequest(httperror.Truncate(err.Error(), maxCause)).ErrStatus
	return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &status}}
}

// logRejection logs why a write was rejected without validation.
func logRejection(log logr.Logger, lines *loglimit.Limiter, message string, request admission.Request, err error,
	keysAndValues ...any,
) {
	omitted, ok := lines.AllowLine()
	if !ok {
		return
	}
	log.Error(nil, message, append(keysAndValues, "version", metrics.VersionLabel(request.Kind.Version),
		"object", logName(request.Namespace, request.Name), "cause", httperror.Truncate(err.Error(), maxCause),
		"omitted", omitted)...)
}

// logDenial logs rules and paths, never values.
func (v *validator) logDenial(request admission.Request, operation validation.Operation, errs []validation.Error) {
	omitted, ok := v.denials.AllowLine()
	if !ok {
		return
	}
	causes := make([]string, 0, min(len(errs), maxCauses))
	for _, e := range errs[:min(len(errs), maxCauses)] {
		causes = append(causes, httperror.Truncate(fmt.Sprintf("%s: %s (rule %s)", e.Field, e.Type, e.Rule), 256))
	}
	v.Logger.Info("Denied", "operation", string(operation), "version", metrics.VersionLabel(request.Kind.Version),
		"object", logName(request.Namespace, request.Name), "errors", len(errs), "causes", causes, "omitted", omitted)
}
