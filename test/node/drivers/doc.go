// Package drivers runs real drivers and pods on the kit: the example driver of Kubernetes' DRA working group, as it was for 1.32 and as it
// is for 1.34, with claims that clients of old versions wrote, over a cluster of 1.36 with default flags and the aggregated API server in it.
package drivers
