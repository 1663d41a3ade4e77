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

// Upstream's rules of the spec of versions with devices, as of Kubernetes 1.31 to 1.37, in claims and in templates. Each knows
// the releases that have it.
var structuredSpec = []Rule{
	requestsAtMost32,
	requestNamesAreUnique,
	requestNameIsLabel,
	requestHasOneKind,
	alternativesAtMost8,
	alternativeNamesAreUnique,
	deviceClassNameIsSubdomain,
	selectorsAtMost32,
	selectorHasCEL,
	selectorExpressionAtMost10KiB,
	selectorExpressionCompiles,
	selectorExpressionIsCheap,
	derivedAttributesAtMost32,
	derivedAttributesAreUnique,
	derivedAttributeIsComplete,
	derivedAttributeIsConstrained,
	derivedAttributeCompiles,
	requestCountFitsMode,
	requestAllocationModeIsKnown,
	constraintsAtMost32,
	constraintHasAttribute,
	constraintAttributeIsQualified,
	configAtMost32,
	configHasOpaque,
	configDriverIsValid,
	configParametersAtMost10KiB,
	configParametersAreObject,
	referencedRequestsAtMost32,
	referencedRequestsAreUnique,
	referencedRequestExists,
	tolerationKeyIsLabelName,
	tolerationValueFitsOperator,
	tolerationOperatorIsKnown,
	tolerationEffectIsKnown,
	specIsImmutable,
}

// Upstream's rules of the status of versions with devices.
var structuredStatus = []Rule{
	resultsAtMost32,
	resultDriverIsValid,
	resultPoolIsValid,
	resultDeviceIsLabel,
	bindingConditionsAtMost4,
	bindingConditionIsLabelName,
	bindingConditionsAreUnique,
	bindingConditionsComeTogether,
	shareIDIsUUID,
	allocatedConfigAtMost64,
	allocatedConfigSourceIsKnown,
	nodeSelectorHasTerms,
	nodeSelectorValuesFitOperator,
	nodeSelectorKeyIsLabelName,
	nodeSelectorValuesAreLabelValues,
	nodeSelectorFieldIsNodeName,
	allocationIsImmutable,
	reservationsAtMost256,
	reservationUIDsAreUnique,
	reservationIsComplete,
	reservationNeedsAllocation,
	noReservationWhileGoingAway,
	reportedDriverIsValid,
	reportedPoolIsValid,
	reportedDeviceIsLabel,
	reportedDeviceIsAllocated,
	reportedDevicesAreUnique,
	reportedConditionsAtMost8,
	reportedConditionsAreUnique,
	reportedConditionIsComplete,
	reportedDataAtMost10KiB,
	reportedDataIsObject,
	interfaceNameAtMost256,
	hardwareAddressAtMost128,
	deviceIPsAtMost16,
	deviceIPIsAddress,
	deviceIPsAreUnique,
}

// Upstream's rules of v1alpha3 in 1.31 alone, which had controllers in the control plane.
var controllers = []Rule{
	controllerIsDriverName,
	allocationControllerIsDriverName,
	reservationsAtMost32,
	deallocationAfterLastReservation,
	deallocationNeedsAllocation,
	deallocationRequestStays,
}

// Upstream's rules of v1beta1, v1beta2 and v1.
var (
	v1Claim    = slices.Concat(structuredSpec, structuredStatus)
	v1Template = slices.Concat(templateMetadata, structuredSpec)
)

// Upstream's rules of v1alpha3.
var (
	v1alpha3Claim    = slices.Concat(v1Claim, controllers)
	v1alpha3Template = slices.Concat(v1Template, []Rule{controllerIsDriverName})
)
