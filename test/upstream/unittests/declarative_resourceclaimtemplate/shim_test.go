//go:build from_1_36

// Package resourceclaimtemplate runs the tests in Kubernetes' test/declarative_validation/resource/resourceclaimtemplate. test/oracle adds
// their file, which is in the module cache.
package resourceclaimtemplate

// apiVersions has one version, since each write is validated in all versions.
var apiVersions = []string{"v1"}
