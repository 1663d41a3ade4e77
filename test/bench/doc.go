// Package bench measures claimbridge beside its peers, in benchmarks whose last part says by whom:
// null is a webhook that answers prepared bytes, stock one of controller-runtime with Kubernetes'
// own types, in-tree an API server that serves the version itself. make bench builds the programs,
// runs all in turn, round by round, and prints one table.
package bench
