// Package test checks the whole repository: imports, documentation, words and CI targets. The suites are in subfolders:
//
//	oracle        validation and conversion, compared with the code and the recorded results of Kubernetes
//	bridge        responses through the bridge, compared with those of an API server
//	unstructured  properties of the conversions without Go types, and of preserved data
//	cluster       the webhook on a real API server
//	certificates, install, preflight, repositories, alerts, troubleshooting: one feature each, also on API servers
//	node          pods with devices in a cluster with a kubelet
//	soak, bench   load and measurements
package test
