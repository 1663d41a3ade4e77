package node

import "io"

// Options of a cluster.
type Options struct {
	// APIServerFlags are added to those of kube-apiserver. Without any it serves what Kubernetes serves by default.
	APIServerFlags []string
	// Bridge is the program claimbridge, a file of the machine, through proxies of which the controller manager, the scheduler and the kubelet
	// ask the API server, which has RBAC and no authorizer of nodes then; "" lets them ask by themselves.
	Bridge string
	// Images are OCI archives, files, that the node has before it is ready: tars of an OCI layout whose index.json names its
	// image in the annotation io.containerd.image.name.
	Images []string
	// Log is told what is being done, a line each; nil says nothing.
	Log io.Writer
	// Folder of the state and the logs; "" is a temporary one, which goes when the cluster does.
	Folder string
	// Disk is how many bytes the node has for images, containers and their logs, in memory; 0 is DefaultDisk.
	Disk int64
}

// DefaultDisk is what a node has for images, containers and their logs. A container with a program of 60 MB takes some 150 MB: the archive's
// layer and what is unpacked. What is not used takes no memory.
const DefaultDisk = 3 << 30
