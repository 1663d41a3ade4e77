package validation

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nodeFieldName is the only field of a node that can be selected by.
const nodeFieldName = "metadata.name"

// requirement is one expression of a node selector, or one requirement on a field of nodes.
type requirement struct {
	*corev1.NodeSelectorRequirement
	at func() *field.Path
}

// nodes that an allocation selects, if they are to be judged.
func (w *write) nodes() *corev1.NodeSelector {
	if w.keepsAllocation() {
		return nil
	}
	return w.new.nodes
}

// requirements of the allocation's node selector: those of matchExpressions, or those of matchFields.
func (w *write) requirements(onFields bool) iter.Seq[requirement] {
	return func(yield func(requirement) bool) {
		nodes := w.nodes()
		if nodes == nil {
			return
		}
		for i := range nodes.NodeSelectorTerms {
			list, name := nodes.NodeSelectorTerms[i].MatchExpressions, "matchExpressions"
			if onFields {
				list, name = nodes.NodeSelectorTerms[i].MatchFields, "matchFields"
			}
			for j := range list {
				at := func() *field.Path { return w.nodesPath.Child("nodeSelectorTerms").Index(i).Child(name).Index(j) }
				if !yield(requirement{&list[j], at}) {
					return
				}
			}
		}
	}
}

var nodeSelectorHasTerms = Rule{
	Name:   "node-selector-has-terms",
	Reason: "A node selector has at least one term; a term may be empty, and there may be many.",
	Source: "Kubernetes 1.26 CT13 N1, 1.30 CT13 N1, 1.31+ DT22 N1",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		if nodes := w.nodes(); nodes != nil && len(nodes.NodeSelectorTerms) == 0 {
			refuse(field.Required(w.nodesPath.Child("nodeSelectorTerms"), "must have at least one node selector term"))
		}
	},
}

var nodeSelectorValuesFitOperator = Rule{
	Name:   "node-selector-values-fit-operator",
	Reason: "In and NotIn have values, Exists and DoesNotExist none, Gt and Lt exactly one; there are no other operators.",
	Source: "Kubernetes 1.26 CT13 N2 N3 N4 N5, 1.30 CT13 N2 N3 N4 N5, 1.31+ DT22 N2 N3 N4 N5",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for r := range w.requirements(false) {
			switch r.Operator {
			case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
				if len(r.Values) == 0 {
					refuse(field.Required(r.at().Child("values"), "must be specified when `operator` is 'In' or 'NotIn'"))
				}
			case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
				if len(r.Values) > 0 {
					refuse(field.Forbidden(r.at().Child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
				}
			case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
				if len(r.Values) != 1 {
					refuse(field.Required(r.at().Child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'"))
				}
			default:
				refuse(field.Invalid(r.at().Child("operator"), shown(string(r.Operator)), "not a valid selector operator"))
			}
		}
	},
}

var nodeSelectorKeyIsLabelName = Rule{
	Name:   "node-selector-key-is-label-name",
	Reason: "An expression of a node selector is about a label, so its key is a label's name.",
	Source: "Kubernetes 1.26 CT13 N6, 1.30 CT13 N6, 1.31+ DT22 N6",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for r := range w.requirements(false) {
			checkLabelName(r.Key, func() *field.Path { return r.at().Child("key") }, refuse)
		}
	},
}

var nodeSelectorValuesAreLabelValues = Rule{
	Name:   "node-selector-values-are-label-values",
	Reason: "An expression of a node selector is about a label, so from 1.32 on its values are those of labels.",
	Source: "Kubernetes 1.32+ N7",
	asked:  onStatus,
	ofNew:  true,
	check: func(w *write, refuse refuse) {
		for r := range w.requirements(false) {
			for k, value := range r.Values {
				for _, problem := range validation.IsValidLabelValue(value) {
					refuse(invalidName(r.at().Child("values").Index(k), value, problem))
				}
			}
		}
	},
}

var nodeSelectorFieldIsNodeName = Rule{
	Name:   "node-selector-field-is-node-name",
	Reason: "A node can be selected by one field, metadata.name, In or NotIn exactly one name.",
	Source: "Kubernetes 1.26 CT13 N8, 1.30 CT13 N8, 1.31+ DT22 N8",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for r := range w.requirements(true) {
			switch r.Operator {
			case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
				if len(r.Values) != 1 {
					refuse(field.Required(r.at().Child("values"),
						"must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
				}
			default:
				refuse(field.Invalid(r.at().Child("operator"), shown(string(r.Operator)), "not a valid selector operator"))
			}
			if r.Key != nodeFieldName {
				refuse(field.Invalid(r.at().Child("key"), shown(r.Key), "not a valid field selector key"))
				continue
			}
			for k, value := range r.Values {
				checkSubdomain(value, func() *field.Path { return r.at().Child("values").Index(k) }, refuse)
			}
		}
	},
}
