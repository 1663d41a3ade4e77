package preflight

import (
	"context"
	"time"
)

// Check is a check of a cluster.
type Check struct {
	// Name is the condition that must be true, such as service-exists. It is stable, and the heading of the check in
	// docs/preflight.md.
	Name string
	// Description says in a sentence what goes wrong if the check fails, or how it checks.
	Description string

	// beforeInstall is set if the check also makes sense where claimbridge is not installed.
	beforeInstall bool
	// usesClaims is set if the check writes or reads claims: it may take Options.ClaimTimeout instead of checkTimeout.
	usesClaims bool
	// needs are the names of earlier checks. If one of them finds a problem, this check is skipped, because it would
	// report only consequences.
	needs []string
	// run returns the problems as an error: see the documentation of the package.
	run func(context.Context, *cluster) error
}

// checkTimeout is the time that a check may take that only reads a few objects.
const checkTimeout = 30 * time.Second

// installedCheck is the name of the check that all checks without beforeInstall depend on.
const installedCheck = "claimbridge-is-installed"

// Checks are all checks in the order in which they run.
var Checks = []Check{
	{
		Name: "group-is-not-built-in", run: groupIsNotBuiltIn, beforeInstall: true,
		Description: "An API server that serves the group itself answers requests for claims of a CRD with 404.",
	},
	{
		Name: "group-is-not-aggregated", run: groupIsNotAggregated, beforeInstall: true,
		Description: "An APIService that names a Service serves a version of the group instead of the CRDs.",
		needs:       []string{"group-is-not-built-in"},
	},
	{
		Name: installedCheck, run: claimbridgeIsInstalled, beforeInstall: true,
		Description: "Without claimbridge there is nothing else to check. Skip this check before an installation.",
		needs:       []string{"group-is-not-built-in"},
	},
	{
		Name: "cert-manager-is-installed", run: certManagerIsInstalled, beforeInstall: true,
		Description: "Without cert-manager, the manifests for --certificates=cert-manager are applied only in part.",
		needs:       []string{"group-is-not-built-in"},
	},

	{
		Name: "definitions-exist", run: definitionsExist,
		Description: "Without an established CRD, the API server does not serve claims or templates.",
		needs:       []string{installedCheck},
	},
	{
		Name: "stored-version-is-newest", run: storedVersionIsNewest,
		Description: "An object stored in a version older than v1 has newer fields in annotations, which writes can remove.",
		needs:       []string{installedCheck},
	},
	{
		Name: "stored-versions-are-migrated", run: storedVersionsAreMigrated,
		Description: "A version in which objects are stored cannot be removed from the CRD.",
		needs:       []string{"stored-version-is-newest"},
	},
	{
		Name: "several-versions-are-converted", run: severalVersionsAreConverted,
		Description: "With the conversion strategy None, the API server drops fields that the other version does not " +
			"have.",
		needs: []string{installedCheck},
	},

	{
		Name: "webhooks-call-this-installation", run: webhooksCallThisInstallation,
		Description: "A webhook that calls another Service or path reaches another release, or no server.",
		needs:       []string{installedCheck},
	},
	{
		Name: "service-exists", run: serviceExists,
		Description: "API servers call claimbridge through its Service. Without it, no claim can be converted or " +
			"written.",
		needs: []string{installedCheck},
	},
	{
		Name: "service-has-endpoints", run: serviceHasEndpoints,
		Description: "API servers cannot connect to a Service without their port, or without a ready pod.",
		needs:       []string{"service-exists"},
	},
	{
		Name: "certificate-is-current", run: certificateIsCurrent,
		Description: "API servers reject a certificate that has expired.",
		needs:       []string{"service-exists"},
	},
	{
		Name: "certificate-is-trusted", run: certificateIsTrusted,
		Description: "If the caBundle of a CRD or a webhook does not match the serving certificate, every call fails.",
		needs:       []string{"certificate-is-current"},
	},

	{
		Name: "webhook-configurations-exist", run: webhookConfigurationsExist,
		Description: "Without them, claims are stored without validation and defaults.",
		needs:       []string{installedCheck},
	},
	{
		Name: "no-write-is-exempt", run: noWriteIsExempt,
		Description: "If a webhook does not select a write, or has failurePolicy Ignore, invalid claims can be stored.",
		needs:       []string{"webhook-configurations-exist"},
	},

	{
		Name: "claims-can-be-written", run: claimsCanBeWritten, usesClaims: true,
		Description: "Preflight creates a claim and a template in each served version, as a dry run.",
		needs: []string{
			"group-is-not-aggregated", "definitions-exist", "several-versions-are-converted",
			"webhooks-call-this-installation", "service-has-endpoints", "certificate-is-trusted",
			"webhook-configurations-exist",
		},
	},
	{
		Name: "invalid-claims-are-denied", run: invalidClaimsAreDenied, usesClaims: true,
		Description: "Preflight creates a claim that violates a rule of validation, as a dry run. It must be denied.",
		needs:       []string{"claims-can-be-written", "no-write-is-exempt"},
	},
	{
		Name: "claims-can-be-read", run: claimsCanBeRead, usesClaims: true,
		Description: "Preflight lists all claims and templates in each served version, and reads one of each.",
		needs:       []string{"claims-can-be-written"},
	},
}

// Names returns the names of all checks.
func Names() []string {
	names := make([]string, len(Checks))
	for i, check := range Checks {
		names[i] = check.Name
	}
	return names
}
