// Package certificates tests the sources of certificates with a real control plane: clients trust the served
// certificate at every moment, and no call fails while certificates and replicas are replaced.
//
// The API server calls the replicas as in a cluster: by the name of a Service, over HTTP/1.1, on reused connections.
// service_test.go simulates the Service.
package certificates
