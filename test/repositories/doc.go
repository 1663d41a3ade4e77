// Package repositories converts the manifests of public repositories as their users would: in a clone, with the built
// program, for an API server that accepts the result. testdata has the repositories and the expected results.
package repositories
