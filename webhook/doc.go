// Package webhook serves conversion, validation and defaulting of claims over HTTPS, as webhooks of a kube-apiserver.
//
// A [Server] serves ConversionReviews on /convert, AdmissionReviews on /validate and /default, health endpoints and
// /version on one secure port, and Prometheus metrics on another port. It needs an API server only to authenticate and
// authorize clients of metrics on an address other than loopback, and to read a CA that replicas share (package certs).
//
// To use another webhook server, such as that of controller-runtime, mount [Server.Converter], [Server.Validator] and
// [Server.Defaulter] on it. Don't call [Server.Run] then.
//
// A request passes the connection limit (connection_limit.go), a guard that counts requests and recovers from panics
// (internal/metrics), the check of the client (clients.go), and the review (internal/review). Of a client's input, only
// group, version, kind, namespace, name and the paths of fields are logged. No value is a label of a metric.
package webhook
