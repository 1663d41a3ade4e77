package validation

import (
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/api"
)

// upstreamRules are those of Kubernetes, in the order in which they are asked. Each knows the
// releases that have it, and with them the versions: 1.26 judges v1alpha1, 1.30 v1alpha2, and 1.31
// and later those with devices.
var upstreamRules = slices.Concat(templateRules, specRules, statusRules)

// rulesByRelease are those of upstreamRules that each release has.
var rulesByRelease = sync.OnceValue(func() map[release][]Rule {
	all := map[release][]Rule{}
	for _, row := range api.Releases() {
		judge := releaseOf(row.Name)
		for _, r := range upstreamRules {
			if r.isOf(judge) {
				all[judge] = append(all[judge], r)
			}
		}
	}
	return all
})

// Rules of what a template gives to its claims beside a spec.
var templateRules = []Rule{
	templateMetadataIsValid,
	templateMetadataHasOnlyLabelsAndAnnotations,
}

// Rules of specs, in claims and in templates.
var specRules = []Rule{
	resourceClassNameIsSubdomain,
	parametersRefIsComplete,
	claimAllocationModeIsKnown,

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
	controllerIsDriverName,
}

// Rules of statuses.
var statusRules = []Rule{
	statusDriverNameIsValid,
	allocationHasDriverName,
	resourceHandleAtMost16KiB,
	resourceHandlesAtMost32,
	resourceHandleDriverNameIsValid,
	resourceHandleDataAtMost16KiB,
	resourceHandleHasOneKindOfData,
	structuredNodeNameIsSubdomain,
	structuredResultHasModel,
	namedResourceIsSubdomain,

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
	reservationsAtMost32,
	reservationsAtMost256,
	reservationUIDsAreUnique,
	reservationIsComplete,
	reservationNeedsAllocation,
	reservedOnceUnlessShareable,
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

	allocationControllerIsDriverName,
	deallocationAfterLastReservation,
	deallocationNeedsAllocation,
	deallocationRequestStays,
}
