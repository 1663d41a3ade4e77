package node

import "io"

// Options of a cluster.
type Options struct {
	// APIServerFlags are added to those of kube-apiserver. Without any it serves what Kubernetes serves by default.
	APIServerFlags []string
	// Bridge is the program claimbridge, a file of the machine, through proxies of which the
	// controller manager, the scheduler and the kubelet ask the API server, which has RBAC and no
	// authorizer of nodes then; "" lets them ask by themselves.
	Bridge string
	// Images are OCI archives, files, that the node has before it is ready: tars of an OCI layout
	// whose index.json names its image in the annotation io.containerd.image.name.
	Images []string
	// Log gets a line for each step. nil: no log.
	Log io.Writer
}
