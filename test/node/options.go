package node

import "io"

// Options configure a cluster. The zero value is a cluster with the defaults of Kubernetes.
type Options struct {
	// APIServerFlags are appended to the flags of kube-apiserver.
	APIServerFlags []string
	// Bridge is the path of the program claimbridge on the machine. If it is set, the controller manager, the scheduler
	// and the kubelet connect to the API server through claimbridge proxy, and the API server has no node authorizer.
	Bridge string
	// Images are OCI archives that are loaded before the node is ready. An archive is a tar file of an OCI layout,
	// whose index.json has the name of the image in the annotation io.containerd.image.name.
	Images []string
	// Log receives a line for each step. If it is nil, nothing is logged.
	Log io.Writer
}
