// Package node starts Kubernetes clusters of one node for tests: a control plane, a kubelet with
// containerd and runc, and kube-proxy, all built from Go modules, in namespaces of their own. Pods
// run as they do anywhere: with limits that the kernel enforces, probes, Services, and devices of
// DRA drivers. Several clusters stand beside each other on one machine, whose settings they leave
// alone. It needs Linux and root; see docs/node.md.
package node
