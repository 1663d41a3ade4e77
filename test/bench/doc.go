// Command bench measures claimbridge beside a null webhook and a stock one of controller-runtime, in turn, in one run, and
// prints one table with ratios. Nothing in it asserts a time. Run it with: make bench.
//
// Servers are processes of their own, so that processor time and memory are those of a server alone. Each section of the
// table is a file: calls.go, reviews.go, memory.go, startup.go, inprocess.go, files.go, folder.go, cluster.go, served.go, bridge.go. All of them put
// samples into results; table.go and plots.go read them again.
package main
