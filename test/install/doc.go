// Package install tests each method of installing the webhook server on a real API server, without pods: claimbridge
// manifests with each source of certificates, and the Helm chart with two versions of Helm. All of them are in
// [installMethods], and each is tested for all properties.
package install
