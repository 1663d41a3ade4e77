package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// maxListedErrors is the number of errors that a denial lists. Validation returns up to 10,000. An object within the
// limits of the API can have 4,096, but a user corrects fewer at a time.
const maxListedErrors = 1000

// newInvalidStatus returns the response of an API server: 422 with a cause for each error. Each cause, which kubectl
// prints, ends with the name of its rule. The message, which other clients print, ends with the names of all rules.
func newInvalidStatus(request admission.Request, errs []validation.Error) *metav1.Status {
	listed := errs[:min(len(errs), maxListedErrors)]
	list := make(field.ErrorList, 0, len(listed))
	var rules []string
	for _, e := range listed {
		list = append(list, e.Error)
		if e.Rule != "" && !slices.Contains(rules, e.Rule) {
			rules = append(rules, e.Rule)
		}
	}
	kind := schema.GroupKind{Group: request.Kind.Group, Kind: request.Kind.Kind}
	status := apierrors.NewInvalid(kind, nameOf(request), list).ErrStatus
	for i := range status.Details.Causes { // one for each error, in their order
		if rule := listed[i].Rule; rule != "" {
			status.Details.Causes[i].Message += " (rule " + rule + ")"
		}
	}
	if more := len(errs) - len(listed); more > 0 {
		status.Message += fmt.Sprintf(" and %d more errors", more)
	}
	if len(rules) > 1 {
		status.Message += " (rules " + strings.Join(rules, ", ") + ")"
	} else if len(rules) == 1 {
		status.Message += " (rule " + rules[0] + ")"
	}
	return &status
}

// nameOf returns the name of the object. The request has none if the API server will generate the name.
func nameOf(request admission.Request) string {
	if request.Name != "" {
		return request.Name
	}
	header, err := conversion.ReadHeader(request.Object.Raw)
	if err != nil {
		return ""
	}
	return cmp.Or(header.Name, header.GenerateName)
}
