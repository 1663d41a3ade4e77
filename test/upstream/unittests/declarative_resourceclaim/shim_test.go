//go:build from_1_36

// Package resourceclaim runs the tests in Kubernetes' test/declarative_validation/resource/resourceclaim. test/oracle adds
// their file, which is in the module cache.
package resourceclaim

// apiVersions has one version, since each write is validated in all versions.
var apiVersions = []string{"v1"}
