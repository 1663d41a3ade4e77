package preflight

import "slices"

// Checks in the order in which they are made: first what the cluster must be like, then the definitions, the server, the way
// to it, its certificates, who judges writes, whether all of it is of this release, and at last the proof.
var Checks = slices.Concat(groupChecks, definitionsChecks, versionsChecks, serverChecks, serviceChecks, certificatesChecks, admissionChecks,
	releaseChecks, claimsChecks)

// Names of all checks.
func Names() (names []string) {
	for _, c := range Checks {
		names = append(names, c.Name)
	}
	return names
}
