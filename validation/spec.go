package validation

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// templateRules validate the metadata that claims get from a template.
var templateRules = []Rule{
	{
		Name:       "template-metadata-is-valid",
		Reason:     "The labels and annotations that claims get from a template have valid names, values and total size.",
		Source:     "Kubernetes 1.26 T1, 1.30 T1, 1.31+ T1",
		Since:      release1_26,
		operations: onSpec,
		check:      checkTemplateMetadata,
	},
	{
		Name:       "template-metadata-has-only-labels-and-annotations",
		Reason:     "Claims get only labels and annotations from the metadata of a template.",
		Source:     "Kubernetes 1.26 T2, 1.30 T2, 1.31+ T2",
		Since:      release1_26,
		operations: onSpec,
		check:      checkTemplateMetadataFields,
	},
}

// classicSpecRules validate specs of v1alpha1 and v1alpha2.
var classicSpecRules = []Rule{
	{
		Name:       "resource-class-name-is-subdomain",
		Reason:     "A claim has the name of its ResourceClass, which is a DNS subdomain and not empty.",
		Source:     "Kubernetes 1.26 CS1, 1.30 CS1",
		Since:      release1_26,
		Until:      release1_30,
		operations: onSpec,
		check: func(in *input) field.ErrorList {
			return validateSubdomain(in.new.classic.spec.ResourceClassName, in.paths.spec.Child("resourceClassName"))
		},
	},
	{
		Name:       "parameters-ref-is-complete",
		Reason:     "A reference to parameters has a kind and a name. Its API group is not validated.",
		Source:     "Kubernetes 1.26 CS2, 1.30 CS2",
		Since:      release1_26,
		Until:      release1_30,
		operations: onSpec,
		check: func(in *input) (errs field.ErrorList) {
			ref := in.new.classic.spec.ParametersRef
			if ref == nil {
				return nil
			}
			path := in.paths.spec.Child("parametersRef")
			if ref.Kind == "" {
				errs = append(errs, field.Required(path.Child("kind"), ""))
			}
			if ref.Name == "" {
				errs = append(errs, field.Required(path.Child("name"), ""))
			}
			return errs
		},
	},
	{
		Name:       "claim-allocation-mode-is-known",
		Reason:     "The allocation mode of a claim is Immediate or WaitForFirstConsumer, which is the default.",
		Source:     "Kubernetes 1.26 CS4, 1.30 CS4",
		Since:      release1_26,
		Until:      release1_30,
		operations: onSpec,
		check: func(in *input) field.ErrorList {
			return validateEnum(in.new.classic.spec.AllocationMode, in.paths.spec.Child("allocationMode"),
				v1alpha2.AllocationModeImmediate, v1alpha2.AllocationModeWaitForFirstConsumer)
		},
	},
}

// specRules are about the spec as a whole.
var specRules = []Rule{
	{
		Name:         "spec-is-immutable",
		Reason:       "The spec of a claim never changes, nor does the whole spec of a template, its metadata included.",
		Source:       "Kubernetes 1.26 CS5 T4, 1.30 CS5 T4, 1.31+ DS37 T4",
		Since:        release1_26,
		operations:   onUpdate | onImmutableUpdate,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if in.hasSameSpec() {
				return nil
			}
			return field.ErrorList{immutable(field.NewPath("spec"))}
		},
	},
	{
		Name:       "controller-is-driver-name",
		Reason:     "The controller that allocates a claim, if it is set, is a driver's name.",
		Source:     "Kubernetes 1.31 DS35",
		Since:      release1_31,
		Until:      release1_31,
		operations: onSpec,
		check: func(in *input) field.ErrorList {
			if in.new.controller == "" {
				return nil
			}
			return in.validateDriverName(in.new.controller, in.paths.spec.Child("controller"))
		},
	},
}

func checkTemplateMetadata(in *input) field.ErrorList {
	metadata := in.new.templateMetadata
	if metadata == nil {
		return nil
	}
	// The preserved spec is not stored, and a template has no limit for it.
	annotations := maps.Clone(metadata.Annotations)
	maps.DeleteFunc(annotations, func(key, _ string) bool { return key == conversion.SpecAnnotation })
	errs := apivalidation.ValidateAnnotations(annotations, in.paths.metadata.Child("annotations"))
	errs = append(errs, metav1validation.ValidateLabels(metadata.Labels, in.paths.metadata.Child("labels"))...)
	// The checks iterate over maps: without sorting the same object would get different responses.
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
	for _, e := range errs {
		if name, ok := e.BadValue.(string); ok && e.Type == field.ErrorTypeInvalid {
			e.BadValue = nameValue(name)
		}
	}
	return errs
}

// checkTemplateMetadataFields names a field as upstream does: the name of the Go field with its first letter in lower
// case, so uID.
func checkTemplateMetadataFields(in *input) (errs field.ErrorList) {
	if in.new.templateMetadata == nil {
		return nil
	}
	fields := reflect.ValueOf(*in.new.templateMetadata)
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		if name == "Labels" || name == "Annotations" || fields.Field(i).IsZero() {
			continue
		}
		first, size := utf8.DecodeRuneInString(name)
		path := in.paths.metadata.Child(string(unicode.ToLower(first)) + name[size:])
		errs = append(errs, field.Forbidden(path, "cannot be set"))
	}
	return errs
}
