// Package drivers runs a real driver and pods on the kit: the example driver of Kubernetes' DRA working group as it was for 1.32, whose
// client speaks v1beta1, over a cluster of 1.36 with default flags, which serves v1, by a sidecar.
package drivers
