// Package preflight reports what is wrong with the installation of claimbridge in a cluster, each with its remedy.
//
// [Checks] is the list. [Run] makes them all against an API server and changes nothing: it reads, and writes as dry runs. It looks at what API servers look
// at: whether the definitions of claims can be served, where they say that conversions happen, which certificates they trust there, and
// who judges writes. A check that cannot be made says so and why; that is never the same as finding nothing.
package preflight
