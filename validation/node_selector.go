package validation

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nodeFieldName is the only field of a node that can be selected by.
const nodeFieldName = "metadata.name"

// nodes that an allocation selects, if they are to be judged.
func (w *write) nodes() *corev1.NodeSelector {
	if w.keepsAllocation() {
		return nil
	}
	return w.new.nodes
}

type requirement = corev1.NodeSelectorRequirement

// requirements of the allocation's node selector, on labels and on fields of nodes.
var (
	labelRequirements = requirementsOf("matchExpressions", func(t *corev1.NodeSelectorTerm) []requirement {
		return t.MatchExpressions
	})
	fieldRequirements = requirementsOf("matchFields", func(t *corev1.NodeSelectorTerm) []requirement {
		return t.MatchFields
	})
)

func requirementsOf(name string, of func(*corev1.NodeSelectorTerm) []requirement) items[*requirement] {
	return items[*requirement]{asked: onStatus, each: func(w *write, check check[*requirement], refuse refuser) {
		if nodes := w.nodes(); nodes != nil {
			for i := range nodes.NodeSelectorTerms {
				at := placeOf(w.nodesPath.Child("nodeSelectorTerms")).index(i).child(name)
				checkList(w, of(&nodes.NodeSelectorTerms[i]), at, check, refuse)
			}
		}
	}}
}

var nodeSelectorHasTerms = Rule{
	Name:   "node-selector-has-terms",
	Reason: "A node selector has at least one term; a term may be empty, and there may be many.",
	Source: "Kubernetes 1.26 CT13 N1, 1.30 CT13 N1, 1.31+ DT22 N1",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if nodes := w.nodes(); nodes != nil && len(nodes.NodeSelectorTerms) == 0 {
			refuse(field.Required(w.nodesPath.Child("nodeSelectorTerms"), "must have at least one node selector term"))
		}
	},
}

var nodeSelectorValuesFitOperator = labelRequirements.rule("node-selector-values-fit-operator",
	"In and NotIn have values, Exists and DoesNotExist none, Gt and Lt exactly one; there are no other operators.",
	"Kubernetes 1.26 CT13 N2 N3 N4 N5, 1.30 CT13 N2 N3 N4 N5, 1.31+ DT22 N2 N3 N4 N5",
	func(_ *write, r *requirement, at place, refuse refuser) {
		switch r.Operator {
		case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
			if len(r.Values) == 0 {
				refuse(field.Required(at.path().Child("values"),
					"must be specified when `operator` is 'In' or 'NotIn'"))
			}
		case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
			if len(r.Values) > 0 {
				refuse(field.Forbidden(at.path().Child("values"),
					"may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
			}
		case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
			if len(r.Values) != 1 {
				refuse(field.Required(at.path().Child("values"),
					"must be specified single value when `operator` is 'Lt' or 'Gt'"))
			}
		default:
			refuse(field.Invalid(at.path().Child("operator"), shown(string(r.Operator)),
				"not a valid selector operator"))
		}
	})

var nodeSelectorKeyIsLabelName = labelRequirements.rule("node-selector-key-is-label-name",
	"An expression of a node selector is about a label, so its key is a label's name.",
	"Kubernetes 1.26 CT13 N6, 1.30 CT13 N6, 1.31+ DT22 N6", func(_ *write, r *requirement, at place, refuse refuser) {
		checkLabelName(r.Key, at.child("key"), refuse)
	})

var nodeSelectorValuesAreLabelValues = newer(labelRequirements.rule("node-selector-values-are-label-values",
	"An expression of a node selector is about a label, so from 1.32 on its values are those of labels.",
	"Kubernetes 1.32+ N7", func(_ *write, r *requirement, at place, refuse refuser) {
		for k, value := range r.Values {
			refuseName(value, validation.IsValidLabelValue(value), at.child("values").index(k), refuse)
		}
	}))

var nodeSelectorFieldIsNodeName = fieldRequirements.rule("node-selector-field-is-node-name",
	"A node can be selected by one field, metadata.name, In or NotIn exactly one name.",
	"Kubernetes 1.26 CT13 N8, 1.30 CT13 N8, 1.31+ DT22 N8", func(_ *write, r *requirement, at place, refuse refuser) {
		switch r.Operator {
		case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
			if len(r.Values) != 1 {
				refuse(field.Required(at.path().Child("values"),
					"must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
			}
		default:
			refuse(field.Invalid(at.path().Child("operator"), shown(string(r.Operator)),
				"not a valid selector operator"))
		}
		if r.Key != nodeFieldName {
			refuse(field.Invalid(at.path().Child("key"), shown(r.Key), "not a valid field selector key"))
			return
		}
		for k, value := range r.Values {
			checkSubdomain(value, at.child("values").index(k), refuse)
		}
	})
