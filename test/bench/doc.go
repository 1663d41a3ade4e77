// Package bench compares claimbridge with its peers. The last part of a benchmark's name is the program, as in by=null:
// null is a webhook that returns prepared bytes, stock is a webhook that is built with controller-runtime and
// Kubernetes' own types, and in-tree is an API server that serves the version itself. make bench builds the programs,
// runs all benchmarks once per round, and prints one table.
package bench
