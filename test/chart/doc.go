// Package chart tests the Helm charts in config/charts/ with two releases of Helm: what they render against what claimbridge manifests writes, and what
// becomes of claims when a release of them is installed, upgraded, rolled back and uninstalled on a real API server.
package chart
