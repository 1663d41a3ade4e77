// Package webhook tests the webhook server in a cluster of one node with real pods, installed as documented: with its
// limits and its Service, during rollouts, failures and attacks. Each test prints its counts.
//
// A run takes some minutes. With CLAIMBRIDGE_NODE_FULL=1, it measures the figures of docs/operations.md in half an
// hour.
package webhook
