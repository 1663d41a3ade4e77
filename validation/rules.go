package validation

import (
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// Upstream's rules of v1alpha1, as of Kubernetes 1.26.
var v1alpha1Claim = []Rule{
	resourceClassNameIsSubdomain,
	parametersRefIsComplete,
	claimAllocationModeIsKnown,
	specIsImmutable,

	statusDriverNameIsValid,
	allocationHasDriverName,
	resourceHandleAtMost16KiB,
	nodeSelectorHasTerms,
	nodeSelectorValuesFitOperator,
	nodeSelectorKeyIsLabelName,
	nodeSelectorFieldIsNodeName,
	reservationsAtMost32,
	reservationUIDsAreUnique,
	reservationIsComplete,
	reservationNeedsAllocation,
	reservedOnceUnlessShareable,
	noReservationWhileGoingAway,
	deallocationAfterLastReservation,
	deallocationNeedsAllocation,
	deallocationRequestStays,
}

// Upstream's rules of v1alpha2, as of Kubernetes 1.30.
var v1alpha2Claim = []Rule{
	resourceClassNameIsSubdomain,
	parametersRefIsComplete,
	claimAllocationModeIsKnown,
	specIsImmutable,

	statusDriverNameIsValid,
	allocationHasDriverName,
	resourceHandlesAtMost32,
	resourceHandleDriverNameIsValid,
	resourceHandleDataAtMost16KiB,
	resourceHandleHasOneKindOfData,
	structuredNodeNameIsSubdomain,
	structuredResultHasModel,
	namedResourceIsSubdomain,
	nodeSelectorHasTerms,
	nodeSelectorValuesFitOperator,
	nodeSelectorKeyIsLabelName,
	nodeSelectorFieldIsNodeName,
	allocationIsImmutable,
	reservationsAtMost32,
	reservationUIDsAreUnique,
	reservationIsComplete,
	reservationNeedsAllocation,
	reservedOnceUnlessShareable,
	noReservationWhileGoingAway,
	deallocationAfterLastReservation,
	deallocationNeedsAllocation,
	deallocationRequestStays,
}

// Upstream's rules of templates of v1alpha1 and v1alpha2.
var classicTemplateRules = []Rule{
	templateMetadataIsValid,
	templateMetadataHasOnlyLabelsAndAnnotations,
	resourceClassNameIsSubdomain,
	parametersRefIsComplete,
	claimAllocationModeIsKnown,
	specIsImmutable,
}

// Upstream's rules of v1alpha3, as of Kubernetes 1.31.
var v1alpha3Claim = []Rule{
	requestsAtMost32,
	requestNamesAreUnique,
	requestNameIsLabel,
	deviceClassNameIsSubdomain,
	selectorsAtMost32,
	selectorHasCEL,
	selectorExpressionCompiles,
	requestCountFitsMode,
	requestAllocationModeIsKnown,
	constraintsAtMost32,
	constraintHasMatchAttribute,
	configAtMost32,
	configHasOpaque,
	configDriverIsValid,
	configParametersAreObject,
	referencedRequestsAtMost32,
	referencedRequestsAreUnique,
	referencedRequestExists,
	controllerIsDriverName,
	specIsImmutable,

	resultsAtMost32,
	resultDriverIsValid,
	resultPoolIsValid,
	resultDeviceIsLabel,
	allocatedConfigAtMost64,
	allocatedConfigSourceIsKnown,
	nodeSelectorHasTerms,
	nodeSelectorValuesFitOperator,
	nodeSelectorKeyIsLabelName,
	nodeSelectorFieldIsNodeName,
	allocationControllerIsDriverName,
	allocationIsImmutable,
	reservationsAtMost32,
	reservationUIDsAreUnique,
	reservationIsComplete,
	reservationNeedsAllocation,
	noReservationWhileGoingAway,
	deallocationAfterLastReservation,
	deallocationNeedsAllocation,
	deallocationRequestStays,
}

// Upstream's rules of templates of v1alpha3.
var v1alpha3Template = []Rule{
	templateMetadataIsValid,
	templateMetadataHasOnlyLabelsAndAnnotations,
	requestsAtMost32,
	requestNamesAreUnique,
	requestNameIsLabel,
	deviceClassNameIsSubdomain,
	selectorsAtMost32,
	selectorHasCEL,
	selectorExpressionCompiles,
	requestCountFitsMode,
	requestAllocationModeIsKnown,
	constraintsAtMost32,
	constraintHasMatchAttribute,
	configAtMost32,
	configHasOpaque,
	configDriverIsValid,
	configParametersAreObject,
	referencedRequestsAtMost32,
	referencedRequestsAreUnique,
	referencedRequestExists,
	controllerIsDriverName,
	specIsImmutable,
}

// upstreamRules of a version and kind, in the order in which their errors are told.
func upstreamRules(version, kind string) []Rule {
	switch {
	case version == v1alpha3.GroupVersion.Version && kind == claimKind:
		return v1alpha3Claim
	case version == v1alpha3.GroupVersion.Version:
		return v1alpha3Template
	case kind == templateKind:
		return classicTemplateRules
	case version == v1alpha2.GroupVersion.Version:
		return v1alpha2Claim
	case version == v1alpha1.GroupVersion.Version:
		return v1alpha1Claim
	}
	return nil
}

// Rules of a version, for claims and templates, each once, in the order in which they are asked: the one about fields of
// later releases, then upstream's, then claimbridge's other ones. It is nil for a version that is none of v1alpha1,
// v1alpha2 and v1alpha3.
func Rules(version string) []Rule {
	claim := upstreamRules(version, claimKind)
	if claim == nil {
		return nil
	}
	var rules []Rule
	if version == v1alpha3.GroupVersion.Version {
		rules = append(rules, noFieldOfLaterReleases)
	}
	for _, r := range slices.Concat(upstreamRules(version, templateKind), claim, ownRules) {
		if !slices.ContainsFunc(rules, func(known Rule) bool { return known.Name == r.Name }) {
			rules = append(rules, r)
		}
	}
	return rules
}
