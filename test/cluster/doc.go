// Package cluster tests the webhook with real API servers: every verb through every version, as users and controllers
// send them.
//
// All tests share two control planes with the webhook, which webhooktest starts: one whose API server does not serve
// resource.k8s.io itself, and one that serves it and has claims in another group. Each test has its own namespace and
// runs in parallel with the others. A test that disturbs the whole API server starts its own.
package cluster
