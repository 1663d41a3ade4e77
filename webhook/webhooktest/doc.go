// Package webhooktest runs claimbridge in controller-runtime's envtest, or with any other API server on this machine.
// Use it to test drivers, schedulers and operators with ResourceClaims of v1alpha1 to v1.
//
// [Start] serves the webhook on a free local port with a generated certificate, installs the CRDs and the webhook
// configurations, and returns when the API server calls the webhook. The group resource.k8s.io requires an API server
// that does not serve it itself: see [DisableBuiltIn]. Any other group works with every API server. Create clients from
// the Config of the [Webhook]: typed clients write protobuf by default, which custom resources don't support.
package webhooktest
