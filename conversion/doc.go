// Package conversion converts ResourceClaims and ResourceClaimTemplates between the versions of resource.k8s.io, and
// preserves the data that a version has no field for. Data that cannot be preserved is listed in [Report].
// [ConvertJSON] converts an object in JSON, and [Convert] converts a typed object. Neither needs a scheme.
//
// v1 is the hub: each older version is converted to v1 and from v1. Data that only an older version can represent is
// stored in v1 as opaque device configuration of claimbridge.dev. Data that only v1 can represent is preserved in
// annotations and a status field of the object in the older version, and restored when the object is converted to v1.
// docs/conversion.md describes each field, and docs/preserved-data.md what a client can change.
//
// The package is pure: it has no clock, no client and no log, and does not change its arguments. The implementation is
// package internal/conversion, whose property tests hold for every pair of versions.
package conversion
