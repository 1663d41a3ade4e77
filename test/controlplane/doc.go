// Package controlplane finds the programs of a Kubernetes control plane for tests: etcd,
// kube-apiserver and kubectl. Where KUBEBUILDER_ASSETS does not name them they are built from the
// module in the folder kubernetes, which pins them.
package controlplane
