// Package install tests each way of installing the webhook server on a real API server, without
// pods: claimbridge manifests with each kind of certificates, and the Helm chart with two releases
// of Helm. Each way is in [ways], and has every property that it can have.
package install
