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
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// judge decides on writes of claims and templates.
//
// What it is asked about that is not a claim or a template of a served group, it denies: a rule that sends other
// things here protects nothing, and whoever wrote it would not learn so from silence. The way out is always open, since
// API servers ask no webhook about webhook configurations. The same goes for subresources other than status. A delete
// is allowed in any case.
type judge struct {
	Options
	// verdict is validation.Judge.
	verdict func(context.Context, validation.Request) (validation.Verdict, error)
	// denials that are logged.
	denials *loglimit.Limit
}

// Verdicts, labels of a metric.
const (
	verdictAllowed  = "allowed"
	verdictDenied   = "denied"
	verdictUnjudged = "unjudged"
)

// Handle judges one write. It implements controller-runtime's admission.Handler.
func (j *judge) Handle(ctx context.Context, request admission.Request) admission.Response {
	operation, err := j.operation(request)
	if err != nil {
		return j.unjudged(request, operation, err)
	}
	var verdict validation.Verdict
	if operation != validation.Delete {
		verdict, err = j.verdict(ctx, validation.Request{
			Operation: operation, Object: request.Object.Raw, OldObject: request.OldObject.Raw,
			Release: j.Releases[request.Kind.Version], StoredRelease: j.Releases[conversion.Stored()],
		})
		switch {
		case ctx.Err() != nil: // says nothing about the write, so it is neither counted nor logged as a verdict
			return admission.Errored(http.StatusServiceUnavailable, refusal.TooLate())
		case errors.Is(err, validation.ErrBusy): // neither does this
			return admission.Errored(http.StatusTooManyRequests, err)
		case err != nil:
			return j.unjudged(request, operation, err)
		}
	}
	response := admissionv1.AdmissionResponse{Allowed: len(verdict.Errors) == 0, Warnings: verdict.Warnings}
	said := verdictAllowed
	if !response.Allowed {
		said = verdictDenied
		j.logDenial(request, operation, verdict.Errors)
		response.Result = invalid(request, verdict.Errors)
	}
	j.Metrics.Judged(request.Kind.Version, operation, said, verdict.Errors)
	return admission.Response{AdmissionResponse: response}
}

// operation of a request that is for us.
func (j *judge) operation(request admission.Request) (validation.Operation, error) {
	if request.Operation == admissionv1.Delete {
		return validation.Delete, nil
	}
	if err := j.Groups.ours(request, "ValidatingWebhookConfiguration"); err != nil {
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
	return "", fmt.Errorf("operation %q of subresource %q is not judged here, only CREATE, UPDATE and DELETE, and "+
		"UPDATE of status: "+
		"narrow the rules of the ValidatingWebhookConfiguration", refusal.Shorten(string(request.Operation),
		32), refusal.Shorten(request.SubResource, 63))
}

// resources are the plural names of the kinds.
var resources = map[string]string{api.KindClaim: api.ResourceClaims, api.KindTemplate: api.ResourceTemplates}

// ours checks that a write is of a claim or a template that is served; the error says which configuration sent it.
func (g Groups) ours(request admission.Request, configuration string) error {
	kind := request.Kind
	if plural, known := resources[kind.Kind]; !known || request.Resource.Resource != plural {
		return fmt.Errorf("resource %q of kind %q is not judged here, only resourceclaims and resourceclaimtemplates: "+
			"narrow the rules of the %s", refusal.Shorten(request.Resource.Resource,
			63), refusal.Shorten(kind.Kind, 63), configuration)
	}
	if metrics.VersionLabel(kind.Version) == metrics.Other {
		return fmt.Errorf("version %q is not judged here, only %s: narrow the rules of the %s",
			refusal.Shorten(kind.Version, 63), strings.Join(conversion.Versions(), ", "), configuration)
	}
	return g.check(kind.Group)
}

// unjudged denies what cannot be judged.
func (j *judge) unjudged(request admission.Request, operation validation.Operation, err error) admission.Response {
	j.Metrics.Judged(request.Kind.Version, operation, verdictUnjudged, nil)
	return refused(request, err.Error(), j.Logger, j.denials, "Cannot judge", "operation",
		refusal.Shorten(string(request.Operation), 32))
}

// refused write, whose line in the log says more where there is more to say.
func refused(request admission.Request, why string, log logr.Logger, lines *loglimit.Limit, line string,
	more ...any,
) admission.Response {
	message := refusal.Shorten(why, maxCause)
	if omitted, ok := lines.Admit(); ok {
		log.Error(nil, line, append(more, "version", metrics.VersionLabel(request.Kind.Version),
			"object", logName(request.Namespace, request.Name), "cause", message, "omitted", omitted)...)
	}
	status := apierrors.NewBadRequest(message).ErrStatus
	return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &status}}
}

// logDenial names rules and paths, never values.
func (j *judge) logDenial(request admission.Request, operation validation.Operation, errs []validation.Error) {
	omitted, ok := j.denials.Admit()
	if !ok {
		return
	}
	causes := make([]string, 0, min(len(errs), maxCauses))
	for _, e := range errs[:min(len(errs), maxCauses)] {
		causes = append(causes, refusal.Shorten(fmt.Sprintf("%s: %s (rule %s)", e.Field, e.Type, e.Rule), 256))
	}
	j.Logger.Info("Denied", "operation", string(operation), "version", metrics.VersionLabel(request.Kind.Version),
		"object", logName(request.Namespace, request.Name), "errors", len(errs), "causes", causes, "omitted", omitted)
}
