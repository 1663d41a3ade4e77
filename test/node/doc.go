// Package node starts Kubernetes clusters of one node for tests: a control plane, a kubelet with containerd and runc,
// and kube-proxy, all built from Go modules, in separate Linux namespaces. Pods run as in any cluster: with limits that
// the kernel enforces, probes, Services, and devices of DRA drivers. Several clusters can run on one machine, whose
// settings they do not change. It needs Linux and root; see docs/node.md.
package node
