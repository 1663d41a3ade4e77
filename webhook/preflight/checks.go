package preflight

// Checks in the order in which they are made: first what the cluster must be like, then the definitions, the server, the way
// to it, its certificates, who judges writes, and at last the proof. A check knows what those before it have found, and does
// not report what follows from that.
var Checks = []Check{
	serverServesThisGroup,
	groupIsNotBuiltIn,
	groupIsNotAggregated,
	claimbridgeIsInstalled,

	definitionsExist,
	definitionsAreOurs,
	definitionsAreAccepted,
	definitionsAreOfThisRelease,
	storedVersionIsNewest,
	storedVersionsAreMigrated,
	severalVersionsAreConverted,
	conversionIsNotLeftBehind,

	certificateSecretIsFilled,
	serverHasItsRights,
	admissionPolicyIsWhole,
	deploymentIsAvailable,
	webhooksCallThisInstallation,
	serviceExists,
	serviceHasPort,
	serviceHasEndpoints,

	caBundleIsSet,
	caBundleIsCurrent,
	certificateIsCurrent,
	certificateIsTrusted,

	validatingConfigurationExists,
	mutatingConfigurationExists,
	webhooksAreNotOptional,
	webhooksAreOfThisRelease,
	everyServedVersionIsJudged,
	noWriteIsExempt,
	foreignWebhooksAnswer,
	foreignPoliciesAreKnown,

	claimsCanBeWritten,
	claimsCanBeRead,
}

// Names of all checks.
func Names() (names []string) {
	for _, c := range Checks {
		names = append(names, c.Name)
	}
	return names
}
