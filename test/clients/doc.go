// Package clients builds typed Go clients of Kubernetes 1.26 to 1.36 for tests. A program can have only one release of
// client-go, so each client is a program with its own module file, which runs the operations that a test sends to its
// standard input.
package clients
