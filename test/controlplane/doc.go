// Package controlplane finds the programs of a Kubernetes control plane for tests: etcd, kube-apiserver and kubectl. Where
// KUBEBUILDER_ASSETS does not name them they are built from the pinned modules in the folders below.
package controlplane
