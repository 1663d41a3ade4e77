// Package drivers runs a real driver with a sidecar, and pods: the example driver of Kubernetes' DRA working group for
// 1.32, whose client uses v1beta1, on a cluster of 1.36 with default flags, which serves v1; and the one for 1.36 on a
// cluster that serves only v1beta1.
package drivers
