// Package oracle holds claimbridge's results and conversions against those of Kubernetes itself.
// What each release said of a set of writes is kept in testdata/results, so that plain tests
// compare with it. Tests with the build tag oracle build validators of the releases, prove that the
// record is true, and ask them about fresh random writes; `make oracle` runs them.
package oracle
