package validation

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var templateMetadataIsValid = Rule{
	Name:   "template-metadata-is-valid",
	Reason: "The labels and annotations that claims get from a template have legal names, values and, in sum, size.",
	Source: "Kubernetes 1.26 T1, 1.30 T1, 1.31+ T1",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		errs := apivalidation.ValidateAnnotations(w.new.templateMetadata.Annotations, templateMetadataPath.Child("annotations"))
		errs = append(errs, metav1validation.ValidateLabels(w.new.templateMetadata.Labels, templateMetadataPath.Child("labels"))...)
		// The checks walk over maps: without an order the same object would get its answer in another one each time.
		slices.SortStableFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
		for _, e := range errs {
			if name, ok := e.BadValue.(string); ok && e.Type == field.ErrorTypeInvalid {
				e.BadValue = shown(name)
			}
			refuse(e)
		}
	},
}

// templateMetadataHasOnlyLabelsAndAnnotations names a refused field as upstream does: the name of the Go field with its
// first letter in lower case, so uID.
var templateMetadataHasOnlyLabelsAndAnnotations = Rule{
	Name:   "template-metadata-has-only-labels-and-annotations",
	Reason: "A template gives its claims labels and annotations; every other field of metadata is theirs alone.",
	Source: "Kubernetes 1.26 T2, 1.30 T2, 1.31+ T2",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		metadata := reflect.ValueOf(*w.new.templateMetadata)
		for i := range metadata.NumField() {
			name := metadata.Type().Field(i).Name
			if name == "Labels" || name == "Annotations" || metadata.Field(i).IsZero() {
				continue
			}
			first, size := utf8.DecodeRuneInString(name)
			refuse(field.Forbidden(templateMetadataPath.Child(string(unicode.ToLower(first))+name[size:]), "cannot be set"))
		}
	},
}
