// Package conformance builds Kubernetes' own conformance check of a resource, k8s.io/kubernetes/test/e2e/framework/conformance, as
// a program of a module of its own: it needs a whole Kubernetes of another release than the one that claimbridge is built with.
package conformance
