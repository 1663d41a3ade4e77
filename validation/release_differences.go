package validation

// Differences between releases of Kubernetes, with one function for each difference. [Rule.Since] and [Rule.Until] have
// the releases of a rule, and the table of package api those of a field.

// reportsLongListsAsTooMany reports whether a list over its limit is a TooMany error. Up to 1.31 it is TooLong.
func (r Release) reportsLongListsAsTooMany() bool { return r >= release1_32 }

// skipsItemsOfLongLists reports whether the items of a list that exceeds its limit are not validated.
func (r Release) skipsItemsOfLongLists() bool { return r >= release1_35 }

// reportsDuplicatesAtItem reports whether the path of an error about a duplicate ends with the index. Up to 1.34 it
// ends with the key of the item.
func (r Release) reportsDuplicatesAtItem() bool { return r >= release1_35 }

// reportsDuplicateConditionsAtItem is [Release.reportsDuplicatesAtItem] for conditions.
func (r Release) reportsDuplicateConditionsAtItem() bool { return r >= release1_37 }

// hasExactlyInPaths reports whether paths of requests have `exactly` in every version.
func (r Release) hasExactlyInPaths() bool { return r >= release1_33 }

// skipsContentOfUnchangedSpecs reports whether an update of a claim validates only that the spec is unchanged, and not
// its content. An update of a template validates the content in every release.
func (r Release) skipsContentOfUnchangedSpecs() bool { return r >= release1_35 }

// skipsContentOfUnchangedAllocations reports whether an update of an allocated claim validates only that the allocation
// is unchanged, and not its content.
func (r Release) skipsContentOfUnchangedAllocations() bool { return r >= release1_32 }

// validatesStoredParameters reports whether an update validates the spec a second time, as a stored one, in which
// parameters have no size limit.
func (r Release) validatesStoredParameters() bool { return r <= release1_34 }

// skipsAmbiguousRequests reports whether the content of a request with both exactly and firstAvailable is not
// validated.
func (r Release) skipsAmbiguousRequests() bool { return r >= release1_35 }

// hasDeclarativeValidation reports whether generated code validates the versioned object in addition. It validates
// ambiguous requests too, and only the fields that an update changes.
func (r Release) hasDeclarativeValidation() bool { return r >= release1_37 }

// splitsRequestNames reports whether a slash in a reference separates a request and one of its alternatives. In 1.32 it
// is an invalid character. With the rules of 1.31, v1alpha3 has alternatives, see [Release.hasFieldsOfV1alpha3].
func (r Release) splitsRequestNames() bool { return r != release1_32 }

// alwaysSetsDefaults reports whether a request gets a mode and a count although it has no class.
func (r Release) alwaysSetsDefaults(hasAlternatives bool) bool {
	return r == release1_32 || r == release1_31 && !hasAlternatives
}

// hasBooleanAdminAccess is true for 1.31, where false is the same as no value.
func (r Release) hasBooleanAdminAccess() bool { return r == release1_31 }

// hasControllers reports whether claims can be allocated by a controller, which may request their deallocation.
func (r Release) hasControllers() bool { return r <= release1_31 }

// keepsCapacityIfStatusUsesGate reports whether fields of the old status can keep the capacity of a request while its
// feature gate is off. Up to 1.34, an update keeps the capacity if, for example, the old status has consumedCapacity.
// Since 1.35, only fields of the old spec keep it.
func (r Release) keepsCapacityIfStatusUsesGate() bool { return r <= release1_34 }

// dropsFieldsBeforeDeviceStatus reports whether a status write drops fields whose gate is off before it drops the
// status of deallocated devices. The order matters for a write that deallocates a device and still reports its status,
// with a shareID whose gate is off. Since 1.35, the shareID is dropped first, so the status is that of the deallocated
// device and is dropped too. Up to 1.34, the shareID makes it the status of another device, which is not dropped.
func (r Release) dropsFieldsBeforeDeviceStatus() bool { return r >= release1_35 }

// hasFieldsOfV1alpha3 is true for 1.31, whose rules validate v1alpha3 by default. They cover all fields of
// claimbridge's v1alpha3, including those that 1.32 and 1.33 added.
func (r Release) hasFieldsOfV1alpha3() bool { return r == release1_31 }

// hasExpressionLimits is false for 1.31, which limits neither the length nor the cost of an expression.
func (r Release) hasExpressionLimits() bool { return r >= release1_32 }

// hasParameterLimit is false for 1.31, which does not limit the size of opaque parameters.
func (r Release) hasParameterLimit() bool { return r >= release1_32 }

// hasDistinctAttribute reports whether a constraint may have distinctAttribute in place of matchAttribute, by default.
func (r Release) hasDistinctAttribute() bool { return r >= release1_36 }

// hasEffectNone reports whether a toleration may have the effect None.
func (r Release) hasEffectNone() bool { return r >= release1_35 }

// validatesTolerationsOfResults reports whether an allocation's tolerations are validated.
func (r Release) validatesTolerationsOfResults() bool { return r >= release1_37 }

// exemptsOwnConfig reports whether the limit of an allocation's configuration ignores claimbridge's entries. They occur
// only in the versions of 1.32 and later.
func (r Release) exemptsOwnConfig() bool { return r >= release1_32 }

// validatesEmptyDriverNames reports whether an empty name is an Invalid error in addition to the Required error.
func (r Release) validatesEmptyDriverNames() bool { return r <= release1_34 }

// requiresPartsOfNames reports whether a missing part of a qualified name is a Required error. Since 1.35 it is an
// Invalid error.
func (r Release) requiresPartsOfNames() bool { return r <= release1_34 }

// reportsMissingDomainBelow reports whether the path of the error about a missing domain is a child of the field.
func (r Release) reportsMissingDomainBelow() bool { return r <= release1_31 }

// hasTypeErrorsForIdentifiers reports whether a malformed identifier is a TypeInvalid error.
func (r Release) hasTypeErrorsForIdentifiers() bool { return r <= release1_33 }

// rejectsManySlashes reports whether a qualified name with two or more slashes is an error. Up to 1.37 it is accepted
// without a check.
func (r Release) rejectsManySlashes() bool { return r >= release1_38 }

// requiresPartsOfConditions reports whether an empty type or status of a condition is a Required error. Up to 1.36 it
// is an Invalid or NotSupported error.
func (r Release) requiresPartsOfConditions() bool { return r >= release1_37 }

// acceptsLegacyIPs is true for 1.32, which accepts IP addresses with leading zeros and compares them without.
func (r Release) acceptsLegacyIPs() bool { return r == release1_32 }
