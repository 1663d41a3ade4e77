// Package webhook tests the webhook server as users run it: installed by the pages of the
// documentation into a cluster of a node with real pods, under its limits, behind its Service,
// rolled over, disturbed and attacked. Each test prints what it counted.
//
// A run takes some minutes; CLAIMBRIDGE_NODE_FULL=1 gives the figures of docs/operations.md, which take half an hour.
package webhook
