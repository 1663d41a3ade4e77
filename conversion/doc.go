// Package conversion converts ResourceClaims and ResourceClaimTemplates between the versions of resource.k8s.io,
// both ways, with nothing lost.
//
// Versions stand in a line, and a step joins two neighbours: one package a version, both directions
// side by side. JSON converts an object as bytes, Convert a typed one; neither needs a scheme. What
// only the older side of a step can say is stored in the newer API itself, as entries of
// configuration (internal/v1alpha3/entries.go for what classic claims say,
// internal/v1beta1/controller.go for controllers). What only v1 can say travels beside a copy in
// v1alpha1 to v1alpha3 (internal/leftover), and what a client changes of a copy's status is merged
// into it (internal/chain, internal/merge).
//
// This package is the face: it reads an object, lists the steps and writes the answer. Below it, in
// the order in which they know each other, are internal/leftover, internal/merge, internal/chain,
// which walks the steps, and a package for each step.
//
// Everything here is pure: no clock, no client, no log, and arguments are not changed. What the package promises is
// written as laws in laws_test.go, which hold for every pair of versions.
package conversion
