// Package repositories converts the manifests of public repositories as their users would: in a
// clone, by the program as it is built, for an API server that takes what comes of it. Which
// repositories, from where, and what is expected of each is in testdata.
package repositories
