// Package drivers runs a real driver and pods on the kit, by a sidecar: the example driver of
// Kubernetes' DRA working group as it was for 1.32, whose client speaks v1beta1, on a cluster of
// 1.36 with default flags, which serves v1; and as it is for 1.36, on one that serves v1beta1
// alone.
package drivers
