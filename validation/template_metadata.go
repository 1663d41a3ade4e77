package validation

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// metadata that a template gives to its claims.
var metadata = items[*metav1.ObjectMeta]{asked: onSpec, each: func(w *write, check check[*metav1.ObjectMeta],
	refuse refuser,
) {
	if w.new.templateMetadata != nil {
		check(w, w.new.templateMetadata, placeOf(templateMetadataPath), refuse)
	}
}}

var templateMetadataIsValid = metadata.rule("template-metadata-is-valid",
	"The labels and annotations that claims get from a template have legal names, values and, in sum, size.",
	"Kubernetes 1.26 T1, 1.30 T1, 1.31+ T1", func(_ *write, m *metav1.ObjectMeta, at place, refuse refuser) {
		// The preserved spec is not stored, and a template has no limit for it.
		annotations := maps.Clone(m.Annotations)
		maps.DeleteFunc(annotations, func(key, _ string) bool { return key == ourDomain+"v1-spec" })
		errs := apivalidation.ValidateAnnotations(annotations, at.path().Child("annotations"))
		errs = append(errs, metav1validation.ValidateLabels(m.Labels, at.path().Child("labels"))...)
		// The checks walk over maps: without an order the same object would get its answer in another one each time.
		slices.SortStableFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
		for _, e := range errs {
			if name, ok := e.BadValue.(string); ok && e.Type == field.ErrorTypeInvalid {
				e.BadValue = shown(name)
			}
			refuse(e)
		}
	})

// templateMetadataHasOnlyLabelsAndAnnotations names a refused field as upstream does: the name of the Go field with its
// first letter in lower case, so uID.
var templateMetadataHasOnlyLabelsAndAnnotations = metadata.rule("template-metadata-has-only-labels-and-annotations",
	"A template gives its claims labels and annotations; every other field of metadata is theirs alone.",
	"Kubernetes 1.26 T2, 1.30 T2, 1.31+ T2", func(_ *write, m *metav1.ObjectMeta, at place, refuse refuser) {
		fields := reflect.ValueOf(*m)
		for i := range fields.NumField() {
			name := fields.Type().Field(i).Name
			if name == "Labels" || name == "Annotations" || fields.Field(i).IsZero() {
				continue
			}
			first, size := utf8.DecodeRuneInString(name)
			refuse(field.Forbidden(at.path().Child(string(unicode.ToLower(first))+name[size:]), "cannot be set"))
		}
	})
