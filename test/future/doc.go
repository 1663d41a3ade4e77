// Package future tests the instructions of CONTRIBUTING for adding a release. It adds release 1.99,
// which does not exist, with one new field, to a copy of this repository. testdata has one file for
// each change.
package future
