// Package webhook serves conversion and validation of claims over HTTPS, as a kube-apiserver calls them.
//
// A [Server] answers ConversionReviews on /convert, AdmissionReviews on /validate and /default, the
// usual health endpoints and /version on one secure port, and Prometheus metrics on another. It
// depends on no API server being there, except to authenticate and authorize the readers of exposed
// metrics, and to read the CA that replicas share before the first certificate (package authority).
//
// Whoever runs a webhook server of their own, controller-runtime's for one, mounts [Server.Converter],
// [Server.Validator] and [Server.Defaulter] on it and never calls [Server.Run].
//
// The trip of a request: a connection, one of as many as there is memory for (run.go), a guard that
// counts and catches panics (internal/metrics), a caller who may call (clients.go), and the review
// itself (internal/review). Nothing that a caller sent is ever logged beyond group, version, kind,
// namespace, name and the path of a field, and nothing that a caller chose becomes a label of a
// metric.
package webhook
