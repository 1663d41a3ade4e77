// Package authority signs serving certificates for a webhook that nobody else gives one to. Its two authorities are of
// the kind that cert-manager's server/tls asks (Run, WatchRotation, StopWatchingRotation, Sign):
//
//   - [Memory] is a CA that one process makes for itself and that ends with it.
//   - [Shared] is a CA that all replicas share in a Secret. It is replaced before it ends, and
//     whoever calls the webhook trusts the certificates of every replica at every moment of that:
//     the new CA is published beside the old one, signs only after every caBundle was seen to hold
//     it, and the old one goes after the last of its leaves.
//
// Nothing leads: what happens next follows from the Secret alone (state.go, plan.go), and replicas
// that do it at the same moment are distinguished by the Secret's resourceVersion. A replica that
// cannot reach the API server goes on with what it holds.
package authority
