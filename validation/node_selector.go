package validation

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nodeSelectorRules are about the node selector of an allocation.
var nodeSelectorRules = []Rule{
	{
		Name:       "node-selector-has-terms",
		Reason:     "A node selector has at least one term. A term can be empty, and the number of terms is not limited.",
		Source:     "Kubernetes 1.26 CT13 N1, 1.30 CT13 N1, 1.31+ DT22 N1",
		Since:      release1_26,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if nodes := in.validatedNodeSelector(); nodes == nil || len(nodes.NodeSelectorTerms) > 0 {
				return nil
			}
			return field.ErrorList{field.Required(in.paths.nodeSelector.Child("nodeSelectorTerms"),
				"must have at least one node selector term")}
		},
	},
	{
		Name: "node-selector-values-fit-operator",
		Reason: "The operators In and NotIn have values, Exists and DoesNotExist none, Gt and Lt exactly one. There " +
			"are no other operators.",
		Source:     "Kubernetes 1.26 CT13 N2 N3 N4 N5, 1.30 CT13 N2 N3 N4 N5, 1.31+ DT22 N2 N3 N4 N5",
		Since:      release1_26,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, r := range in.nodeSelectorRequirements(matchExpressions) {
				errs = add(errs, validateOperator(r, path)...)
			}
			return errs
		},
	},
	{
		Name:       "node-selector-key-is-label-name",
		Reason:     "The key of an expression in a node selector has the form of a label key.",
		Source:     "Kubernetes 1.26 CT13 N6, 1.30 CT13 N6, 1.31+ DT22 N6",
		Since:      release1_26,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, r := range in.nodeSelectorRequirements(matchExpressions) {
				errs = add(errs, validateLabelName(r.Key, path.Child("key"))...)
			}
			return errs
		},
	},
	{
		Name:         "node-selector-values-are-label-values",
		Reason:       "Since 1.32, the values of an expression in a node selector have the form of label values.",
		Source:       "Kubernetes 1.32+ N7",
		Since:        release1_32,
		isNewerLimit: true,
		operations:   onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, r := range in.nodeSelectorRequirements(matchExpressions) {
				for i, value := range r.Values {
					errs = add(errs, validateLabelValue(value, path.Child("values").Index(i))...)
				}
			}
			return errs
		},
	},
	{
		Name: "node-selector-field-is-node-name",
		Reason: "The only field that a node selector can match is metadata.name, with the operator In or NotIn and " +
			"exactly one node name.",
		Source:     "Kubernetes 1.26 CT13 N8, 1.30 CT13 N8, 1.31+ DT22 N8",
		Since:      release1_26,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, r := range in.nodeSelectorRequirements(matchFields) {
				errs = add(errs, validateFieldRequirement(r, path)...)
			}
			return errs
		},
	},
}

// validatedNodeSelector returns the node selector of the allocation; nil when there is none, or when it is not
// validated.
func (in *input) validatedNodeSelector() *corev1.NodeSelector {
	if in.skipsAllocation() {
		return nil
	}
	return in.new.nodeSelector
}

// matchExpressions and matchFields are the lists of requirements of a term, on labels and on fields of a node.
const (
	matchExpressions = "matchExpressions"
	matchFields      = "matchFields"
)

// nodeSelectorRequirements returns the requirements in one of the lists of each term, with their paths.
func (in *input) nodeSelectorRequirements(list string) iter.Seq2[*field.Path, *corev1.NodeSelectorRequirement] {
	return func(yield func(*field.Path, *corev1.NodeSelectorRequirement) bool) {
		nodes := in.validatedNodeSelector()
		if nodes == nil {
			return
		}
		for i := range nodes.NodeSelectorTerms {
			term := &nodes.NodeSelectorTerms[i]
			requirements := term.MatchExpressions
			if list == matchFields {
				requirements = term.MatchFields
			}
			for j := range requirements {
				path := in.paths.nodeSelector.Child("nodeSelectorTerms").Index(i).Child(list).Index(j)
				if !yield(path, &requirements[j]) {
					return
				}
			}
		}
	}
}

func validateOperator(r *corev1.NodeSelectorRequirement, path *field.Path) field.ErrorList {
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			return field.ErrorList{field.Required(path.Child("values"),
				"must be specified when `operator` is 'In' or 'NotIn'")}
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			return field.ErrorList{field.Forbidden(path.Child("values"),
				"may not be specified when `operator` is 'Exists' or 'DoesNotExist'")}
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			return field.ErrorList{field.Required(path.Child("values"),
				"must be specified single value when `operator` is 'Lt' or 'Gt'")}
		}
	default:
		return invalidOperator(r, path)
	}
	return nil
}

func invalidOperator(r *corev1.NodeSelectorRequirement, path *field.Path) field.ErrorList {
	return field.ErrorList{field.Invalid(path.Child("operator"), nameValue(string(r.Operator)),
		"not a valid selector operator")}
}

// validateFieldRequirement rejects a requirement on any field of a node except its name, the only field that selectors
// support.
func validateFieldRequirement(r *corev1.NodeSelectorRequirement, path *field.Path) (errs field.ErrorList) {
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) != 1 {
			errs = add(errs, field.Required(path.Child("values"),
				"must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
		}
	default:
		errs = invalidOperator(r, path)
	}
	if r.Key != "metadata.name" {
		return add(errs, field.Invalid(path.Child("key"), nameValue(r.Key), "not a valid field selector key"))
	}
	for i, value := range r.Values {
		errs = add(errs, validateSubdomain(value, path.Child("values").Index(i))...)
	}
	return errs
}
