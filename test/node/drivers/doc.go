// Package drivers tests the sidecar with a real driver and pods. The driver is the example driver of Kubernetes' DRA
// working group: the one for 1.32, whose client uses v1beta1, on a cluster of 1.36 with default flags, which serves v1;
// and the one for 1.36, whose client uses v1, on a cluster that serves only v1beta1.
package drivers
