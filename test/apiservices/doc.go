// Package apiservices tests the manifests of the aggregated API server, and what preflight says of it, against real API servers: as users
// apply them, with kubectl. No pods run there.
package apiservices
