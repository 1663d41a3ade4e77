package node

import (
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/test/node/requirements"
)

// Name is the name of the only node of a cluster, and its host name.
const Name = "node"

// Folders in a node that other Linux machines do not have.
const (
	stateDir             = "/node/state"
	nodePrograms         = "/node/programs"
	controlPlanePrograms = "/node/controlplane"
)

// pathVariable is the variable PATH in a node.
const pathVariable = nodePrograms + ":" + controlPlanePrograms +
	":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// spec describes a node and its objects on the machine.
type spec struct {
	// Name is the name of the node's cgroups.
	Name string
	// Dir is the folder with the node's state and logs, which is deleted with the node.
	Dir string
	// Link is the machine's end of the only network link to the node.
	Link string
	// HostAddress and Address are the addresses of the machine and of the node on the link, with its prefix length.
	HostAddress, Address netip.Prefix
	// Pods and Services are the networks of pods and Services. The machine has routes to both.
	Pods, Services netip.Prefix
	// Init is the ID of the first process of the node, after the node has started.
	Init int
}

// apiServerServiceIP returns the address of the API server's Service, which is the first one.
func (n *spec) apiServerServiceIP() netip.Addr { return n.Services.Addr().Next() }

// newSpec returns the spec of the node in a slot. Its networks overlap none of the routes.
func newSpec(slot int, routes []netip.Prefix) (*spec, error) {
	n := &spec{Name: "claimbridge-node-" + strconv.Itoa(slot), Link: "cb-node-" + strconv.Itoa(slot)}
	return n, n.setNetworks(slot, routes)
}

// writeSlot writes the spec to the slot file, as the environment of the supervisor. The operation remove of another
// version of the script may read it: keep the names NAME, FOLDER and LINK.
func (n *spec) writeSlot(slot string, programs requirements.ProgramDirs) error {
	lines := []string{
		"SLOT=" + slot,
		"NAME=" + n.Name,
		"FOLDER=" + n.Dir,
		"LINK=" + n.Link,
		"HOST_ADDRESS=" + n.HostAddress.String(),
		"NODE_ADDRESS=" + n.Address.String(),
		"POD_CIDR=" + n.Pods.String(),
		"SERVICE_CIDR=" + n.Services.String(),
		"NODE_PROGRAMS=" + programs.Node,
		"CONTROL_PLANE_PROGRAMS=" + programs.ControlPlane,
		"NODE_PATH=" + pathVariable,
		"NODE_HOSTNAME=" + Name,
		"",
	}
	return os.WriteFile(slot, []byte(strings.Join(lines, "\n")), 0o600)
}
