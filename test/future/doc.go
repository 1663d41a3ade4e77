// Package future tries what CONTRIBUTING says of a version and of a release that are to be added: one that does not exist is, in a copy of
// this repository, and the suites that range over versions run there.
package future
