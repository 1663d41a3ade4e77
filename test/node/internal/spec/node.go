// Package spec is what the package node and the keeper of a node tell each other.
package spec

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
)

// Node that a keeper makes, and what of it stands on the machine.
type Node struct {
	// Name of its folders in the hierarchies of cgroups.
	Name string
	// Folder of its state and logs, which the node sees as State.
	Folder string
	// Temporary: the folder goes with the node.
	Temporary bool
	// Binds are folders of the machine that the node sees, by the path that they have there. It cannot write to them.
	Binds map[string]string
	// Disk is how many bytes the node's /var holds. It is in memory.
	Disk int64

	// Link is the machine's end of the only link to the node.
	Link string
	// Machine and Address are both ends' addresses, with the length of their network.
	Machine, Address netip.Prefix
	// Pods and Services are the networks behind the node.
	Pods, Services netip.Prefix

	// Cgroups are its folders, one for each hierarchy.
	Cgroups []string
	// Init is the process that everything in the node descends from.
	Init Process
}

// Process by its number and the time of its start, in ticks since the machine started: numbers are given out again.
type Process struct {
	ID      int
	Started string
}

// The folders of a node that are not those of any Linux machine.
const (
	State        = "/node/state"
	Programs     = "/node/programs"
	ControlPlane = "/node/controlplane"
	Etcd         = "/node/etcd"
)

// Hostname of the node, which is its name in the cluster.
const Hostname = "node"

// Path in which programs are looked for in a node.
const Path = Programs + ":" + ControlPlane + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Read a node from a file. A file that is empty has none, and gives nil.
func Read(file string) (*Node, error) {
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	node := &Node{}
	if err := json.Unmarshal(data, node); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return node, nil
}

// Write the node into a file.
func (n *Node) Write(file string) error {
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}
