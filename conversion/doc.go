// Package conversion converts ResourceClaims and ResourceClaimTemplates between the versions of resource.k8s.io,
// without loss in both directions.
//
// JSON converts an object as bytes, Convert a typed one. Neither needs a scheme.
//
// v1 is the hub. Package internal/hub converts typed claims between v1 and each older version. Data that only an older
// version can represent is stored in v1 as configuration entries of claimbridge. Data that only v1 can represent is
// kept by package internal/preserve: in annotations and a status field of the claim in the older version.
//
// Everything here is pure: no clock, no client, no log. Arguments are not changed. The promises of the package are the
// property tests in laws_test.go, which hold for every pair of versions.
package conversion
