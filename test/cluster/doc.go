// Package cluster holds the tests against real API servers: every verb through every version, as users and controllers
// come by. It has no code of its own.
//
// All tests share two control planes with the webhook beside them, started by webhooktest as others start it: one whose
// API server leaves resource.k8s.io to custom resources, and one that serves that group itself and has claims under a
// group of their own. Each test has a namespace of its own and runs beside the others; only what disturbs a whole API
// server starts another.
package cluster
