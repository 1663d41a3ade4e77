// Package conformance builds Kubernetes' own conformance check of a resource, k8s.io/kubernetes/test/e2e/framework/conformance, as
// a program of the module that the control planes of tests are built of: it asks what its own release answers, so it is of theirs.
package conformance
