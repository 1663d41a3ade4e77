// Package validation validates writes of ResourceClaims and ResourceClaimTemplates as the kube-apiserver of each API
// version's own release does: v1alpha1 as Kubernetes 1.26, v1alpha2 as 1.30, v1alpha3 as 1.31, later ones as 1.36,
// unless a request names another release.
//
// Validation is a list of rules, see [Rules]. A [Rule] has a name, a reason, its source, the releases that have it, and
// a check, which is a function of the write that returns a field.ErrorList, as in Kubernetes' own validation. The rules
// of a part of the API are in one file:
//
//   - spec.go and classic_status.go: the spec as a whole, templates, and what only v1alpha1 and v1alpha2 have
//   - requests.go, selectors.go, derived_attributes.go, tolerations.go: device requests
//   - constraints.go, config.go, request_references.go: constraints and configuration
//   - capacity.go: requested and consumed capacity
//   - allocation.go, node_selector.go: allocations
//   - reservations.go, deallocation.go: consumers
//   - device_status.go, network_data.go: the status of devices, which drivers report
//   - preserved_data.go, stored_content.go, stored_reservations.go: claimbridge's rules, for the write as it would be
//     stored
//
// claimbridge's rules are checked only if upstream's accept the write, so that a rejection has either exactly the
// errors of an API server or exactly claimbridge's.
//
// input.go and validated_parts.go have the input of the checks, claim_readers.go reads each version into it, gates.go
// drops the fields that a release drops, and release_differences.go has the differences between releases. Package
// validation/cel compiles expressions, and validation/examples has examples of each rule. CONTRIBUTING.md says how to
// add a rule.
//
// The package is pure: it has no clock, no client, and no global state except a cache of compiled CEL expressions,
// which changes no result. It does not change its arguments.
package validation
