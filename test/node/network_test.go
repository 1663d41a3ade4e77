//go:build node

package node

import (
	"net/netip"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestNetworksOfPlacesAreApart(t *testing.T) {
	taken := []netip.Prefix{netip.MustParsePrefix("10.192.0.0/16"), netip.MustParsePrefix("10.193.4.7/32")}
	var all []netip.Prefix
	for place := range mostNodes {
		n := &spec{}
		must.Do(t, n.networks(place, taken))
		if !n.Machine.Masked().Contains(n.Address.Addr()) {
			t.Errorf("place %d: %s does not reach %s", place, n.Machine, n.Address)
		}
		for _, network := range []netip.Prefix{n.Machine.Masked(), n.Pods, n.Services} {
			if network != network.Masked() {
				t.Errorf("place %d: %s is no network", place, network)
			}
			for _, other := range append(all, taken...) {
				if network.Overlaps(other) {
					t.Errorf("place %d: %s overlaps %s", place, network, other)
				}
			}
			all = append(all, network)
		}
	}
}

func TestNoNetworkIsLeft(t *testing.T) {
	n := &spec{}
	if err := n.networks(0, []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/1"), netip.MustParsePrefix("128.0.0.0/1"),
	}); err == nil {
		t.Errorf("want an error, got %+v", n)
	}
	// A machine in a network of all of 10.0.0.0/8 can still have nodes.
	err := n.networks(0, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	if err != nil || n.Pods.Addr().String() != "172.16.1.0" {
		t.Errorf("%+v, %v", n, err)
	}
}
