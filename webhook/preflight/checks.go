package preflight

// Checks in the order in which they are made: first what the cluster must be like, then the definitions, the way to the
// server, its certificates, and who judges writes.
var Checks = []Check{
	groupIsNotBuiltIn,
	groupIsNotAggregated,
	claimbridgeIsInstalled,

	definitionsExist,
	definitionsAreOurs,
	definitionsAreAccepted,
	storedVersionIsNewest,
	storedVersionsAreMigrated,
	severalVersionsAreConverted,
	conversionIsNotLeftBehind,

	webhooksCallThisInstallation,
	serviceExists,
	serviceHasPort,
	serviceHasEndpoints,
	deploymentIsAvailable,

	caBundleIsSet,
	caBundleIsCurrent,
	certificateSecretIsFilled,
	certificateIsCurrent,
	certificateIsTrusted,

	validatingConfigurationExists,
	mutatingConfigurationExists,
	webhooksAreNotOptional,
	everyServedVersionIsJudged,
	noWriteIsExempt,

	claimsCanBeRead,
}

// Names of all checks.
func Names() (names []string) {
	for _, c := range Checks {
		names = append(names, c.Name)
	}
	return names
}
