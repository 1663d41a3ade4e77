//go:build e2e

package aggregated

// allScenarios by theme.
var allScenarios = []map[string]scenario{reads, writes, patches, applies, statuses, deletes, watches, mediaTypes, errorsOfAllKinds, documents, rightsOfUsers}
