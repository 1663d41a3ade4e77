// Package validation decides about writes of ResourceClaims and ResourceClaimTemplates as the
// kube-apiserver of each API version's own release did: v1alpha1 as Kubernetes 1.26, v1alpha2 as
// 1.30, v1alpha3 as 1.31, later ones as 1.36, unless a request names another release.
//
// What is asked is a literal list of rules, see Rules; each knows the releases that have it. A rule
// is one value with a name, a reason and its source; the rules that belong together are in one
// file, and testdata/<rule> has examples that pass and examples that the rule refuses. After
// upstream's rules come claimbridge's own, and only when upstream's accept, so that every refusal
// has either exactly upstream's errors or exactly ours.
//
// The package is pure: no clock, no client, no global that changes, but for a bounded memory of which CEL expressions
// compile, which no answer depends on. Arguments are not changed.
package validation
