// Package controlplane finds the programs of a Kubernetes control plane for tests: etcd, kube-apiserver and kubectl. If
// KUBEBUILDER_ASSETS does not have them, it builds them from the module in the folder kubernetes, which pins them.
package controlplane
