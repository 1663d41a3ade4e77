package node

import (
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/test/node/needs"
)

// Name of the only node of a cluster, and of its host.
const Name = "node"

// The folders of a node that are not those of any Linux machine.
const (
	state          = "/node/state"
	nodePrograms   = "/node/programs"
	planesPrograms = "/node/controlplane"
)

// path in which programs are looked for in a node.
const path = nodePrograms + ":" + planesPrograms + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// spec of a node that a keeper makes, and what of it stands on the machine.
type spec struct {
	// Name of its folders in the hierarchies of cgroups.
	Name string
	// Folder of its state and logs, which goes with it.
	Folder string
	// Link is the machine's end of the only link to the node.
	Link string
	// Machine and Address are both ends' addresses, with the length of their network.
	Machine, Address netip.Prefix
	// Pods and Services are the networks behind the node.
	Pods, Services netip.Prefix
	// Init is the process that everything in the node descends from, once the node is there.
	Init int
}

// firstService of the cluster is that of its API server.
func (n *spec) firstService() netip.Addr { return n.Services.Addr().Next() }

// at a place, what a node is called and where it is.
func at(place int, taken []netip.Prefix) (*spec, error) {
	n := &spec{Name: "claimbridge-node-" + strconv.Itoa(place), Link: "cb-node-" + strconv.Itoa(place)}
	return n, n.networks(place, taken)
}

// write the node into its place, as the environment of the keeper.
func (n *spec) write(place string, programs needs.Folders) error {
	lines := []string{
		"PLACE=" + place, "NAME=" + n.Name, "FOLDER=" + n.Folder, "LINK=" + n.Link,
		"MACHINE=" + n.Machine.String(),
		"ADDRESS=" + n.Address.String(),
		"PODS=" + n.Pods.String(),
		"SERVICES=" + n.Services.String(),
		"PROGRAMS=" + programs.Node,
		"CONTROLPLANE=" + programs.Plane,
		"PATH_INSIDE=" + path,
		"HOSTNAME_INSIDE=" + Name,
		"",
	}
	return os.WriteFile(place, []byte(strings.Join(lines, "\n")), 0o600)
}
