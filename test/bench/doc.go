// Package bench compares claimbridge with its peers. The last part of a benchmark's name is the program: null is a
// webhook that returns prepared bytes, stock one of controller-runtime with Kubernetes' own types, and in-tree an API
// server that serves the version itself. make bench builds the programs, runs all in turn, round by round, and prints
// one table.
package bench
