package preflight

// theme of checks. The checks of one are in the file checks_<name>.go.
type theme struct {
	name   string
	checks []Check
}

// themes in the order in which they are looked at. A check knows what those before it have found, and does not report what
// follows from that.
var themes = []theme{
	{"group", groupChecks},
	{"definitions", definitionsChecks},
	{"versions", versionsChecks},
	{"server", serverChecks},
	{"service", serviceChecks},
	{"certificates", certificatesChecks},
	{"admission", admissionChecks},
	{"claims", claimsChecks},
}

// Checks in the order in which they are made: first what the cluster must be like, then the definitions, the server, the way
// to it, its certificates, who judges writes, and at last the proof.
var Checks = allChecks()

func allChecks() (all []Check) {
	for _, t := range themes {
		all = append(all, t.checks...)
	}
	return all
}

// Names of all checks.
func Names() (names []string) {
	for _, c := range Checks {
		names = append(names, c.Name)
	}
	return names
}
