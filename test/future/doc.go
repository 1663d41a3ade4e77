// Package future tries what CONTRIBUTING says of a version and a release to be added, in a copy of this repository, with ones that do not exist:
// 1.99 with a field, and v2alpha1, newer than the stored version, which calls another one otherwise. What they need is in testdata.
package future
