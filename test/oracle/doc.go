// Package oracle compares claimbridge's validation results and conversions with those of Kubernetes. testdata/results
// has the recorded results of each release for a set of writes, which plain tests compare. Tests with the build tag
// oracle build validators of the releases, check that the recorded results are true, and compare new random writes.
// `make oracle` runs them.
package oracle
