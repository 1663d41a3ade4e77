// Package webhooktest runs claimbridge inside controller-runtime's envtest, or beside any other API
// server on this machine, for tests of drivers, schedulers and operators against the versions of
// ResourceClaim from v1alpha1 to v1.
//
// [Start] serves the webhook on a free local port with a certificate of its own, installs the
// custom resource definitions and the admission configurations, all pointing at it, and returns
// when the API server calls it. The group resource.k8s.io needs an API server that leaves it to
// custom resources, see [DisableBuiltIn]; any other group needs nothing. Clients of claims are best
// made of the Config of the [Webhook]: custom resources have no protobuf, which typed clients write
// by default.
package webhooktest
