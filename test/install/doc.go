// Package install tests each way of installing the webhook server on a real API server, without pods: claimbridge
// manifests with each source of certificates, and the Helm chart with two releases of Helm. The table [ways] has all of
// them, and each is tested for all properties.
package install
