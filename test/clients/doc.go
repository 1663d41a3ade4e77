// Package clients builds typed Go clients of Kubernetes 1.26 to 1.36 for tests. One build cannot
// hold two releases of client-go, so each is a program with a module file of its own, which does
// what a test asks it on standard input; what they do is the same for all.
package clients
