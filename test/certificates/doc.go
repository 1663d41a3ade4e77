// Package certificates tests the ways of certificates against a real control plane: that whoever calls trusts what is
// served at every moment, and that no call is lost while certificates and replicas are replaced.
//
// An API server calls the replicas as it does in a cluster: by the name of a Service, over
// HTTP/1.1, on connections that it keeps. The Service is played by [service_test.go].
package certificates
