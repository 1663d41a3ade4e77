//go:build node

package node

import (
	"net/netip"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestNetworksOfSlotsDoNotOverlap(t *testing.T) {
	routes := []netip.Prefix{netip.MustParsePrefix("10.192.0.0/16"), netip.MustParsePrefix("10.193.4.7/32")}
	var all []netip.Prefix
	for slot := range maxNodes {
		n := &spec{}
		must.Do(t, n.setNetworks(slot, routes))
		if !n.HostAddress.Masked().Contains(n.Address.Addr()) {
			t.Errorf("slot %d: the network of %s does not contain %s", slot, n.HostAddress, n.Address)
		}
		for _, network := range []netip.Prefix{n.HostAddress.Masked(), n.Pods, n.Services} {
			if network != network.Masked() {
				t.Errorf("slot %d: %s is not a network", slot, network)
			}
			for _, other := range append(all, routes...) {
				if network.Overlaps(other) {
					t.Errorf("slot %d: %s overlaps %s", slot, network, other)
				}
			}
			all = append(all, network)
		}
	}
}

func TestNoNetworkIsFree(t *testing.T) {
	n := &spec{}
	if err := n.setNetworks(0, []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/1"), netip.MustParsePrefix("128.0.0.0/1"),
	}); err == nil {
		t.Errorf("got %+v, want an error", n)
	}
	// Other ranges are used if the machine has a route to all of 10.0.0.0/8.
	err := n.setNetworks(0, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	if err != nil || n.Pods.Addr().String() != "172.16.1.0" {
		t.Errorf("got %+v, %v, want pods in 172.16.1.0/24", n, err)
	}
}
