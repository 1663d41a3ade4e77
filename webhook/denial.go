package webhook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// maxErrors of a denial that are told. An object of 3 MiB can break a rule in every list entry; upstream's own limits
// on lists (32 and 64 entries) leave honest objects far below it.
const maxErrors = 1000

// invalid is the answer that an API server gives itself: 422 with a cause for each error. The names of the rules stand
// behind its message, so that their examples are found.
func invalid(request admission.Request, errs []validation.Error) *metav1.Status {
	told := errs[:min(len(errs), maxErrors)]
	list := make(field.ErrorList, 0, len(told))
	var rules []string
	for _, e := range told {
		list = append(list, e.Error)
		if e.Rule != "" && !slices.Contains(rules, e.Rule) {
			rules = append(rules, e.Rule)
		}
	}
	kind := schema.GroupKind{Group: request.Kind.Group, Kind: request.Kind.Kind}
	status := apierrors.NewInvalid(kind, nameOf(request), list).ErrStatus
	if more := len(errs) - len(told); more > 0 {
		status.Message += fmt.Sprintf(" and %d more errors", more)
	}
	switch len(rules) {
	case 0:
	case 1:
		status.Message += " (rule " + rules[0] + ")"
	default:
		status.Message += " (rules " + strings.Join(rules, ", ") + ")"
	}
	return &status
}

func badRequest(message string) *metav1.Status {
	status := apierrors.NewBadRequest(message).ErrStatus
	return &status
}

// nameOf the object, which a request lacks when it is still to be made up from generateName.
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

// An API server cuts warnings to 256 characters each once all together pass 4096, and drops what comes after those
// (k8s.io/apiserver, pkg/endpoints/filters/warning.go). What it would drop need not travel.
const (
	maxWarning  = 256
	maxWarnings = 4096
)

func warnings(given []string) []string {
	total := 0
	for _, text := range given {
		total += utf8.RuneCountInString(text)
	}
	if total <= maxWarnings {
		return given
	}
	kept, total := []string(nil), 0
	for _, text := range given {
		if total >= maxWarnings {
			break
		}
		if runes := []rune(text); len(runes) > maxWarning {
			text = string(runes[:maxWarning])
		}
		total += utf8.RuneCountInString(text)
		kept = append(kept, text)
	}
	return kept
}
