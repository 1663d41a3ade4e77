package validation

import "slices"

// Upstream's rules of the spec of v1alpha1 and v1alpha2, in claims and in templates.
var classicSpec = []Rule{
	resourceClassNameIsSubdomain,
	parametersRefIsComplete,
	claimAllocationModeIsKnown,
	specIsImmutable,
}

// Upstream's rules of v1alpha1, as of Kubernetes 1.26.
var v1alpha1Claim = slices.Concat(classicSpec, []Rule{
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
})

// Upstream's rules of v1alpha2, as of Kubernetes 1.30.
var v1alpha2Claim = slices.Concat(classicSpec, []Rule{
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
})

// Upstream's rules of what a template gives to its claims beside a spec, in every version.
var templateMetadata = []Rule{
	templateMetadataIsValid,
	templateMetadataHasOnlyLabelsAndAnnotations,
}

// Upstream's rules of templates of v1alpha1 and v1alpha2.
var classicTemplate = slices.Concat(templateMetadata, classicSpec)

// Upstream's rules of the spec of v1alpha3, as of Kubernetes 1.31, in claims and in templates.
var v1alpha3Spec = []Rule{
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

// Upstream's rules of v1alpha3, as of Kubernetes 1.31.
var v1alpha3Claim = slices.Concat(v1alpha3Spec, []Rule{
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
})

// Upstream's rules of templates of v1alpha3.
var v1alpha3Template = slices.Concat(templateMetadata, v1alpha3Spec)
