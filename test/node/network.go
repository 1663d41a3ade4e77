package node

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
)

// mostNodes is how many there can be on one machine.
const mostNodes = 64

// from which networks of nodes are taken: all are for private use, the last one for tests (RFC 1918, RFC 2544).
var from = []netip.Prefix{
	netip.MustParsePrefix("10.192.0.0/10"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("198.18.0.0/15"),
}

// A node has a network of four times 256 addresses: the first 256 for its link, then those of pods
// and those of Services.
const length, step = 22, 1 << (32 - 22)

// networks returns networks for the node at a place to which the machine has no route. Those of different places never
// overlap.
func (n *spec) networks(place int, taken []netip.Prefix) error {
	i := 0
	for _, all := range from {
		for base := all.Addr(); all.Contains(base); base = plus(base, step) {
			block := netip.PrefixFrom(base, length)
			if i++; (i-1)%mostNodes != place || slices.ContainsFunc(taken, block.Overlaps) {
				continue
			}
			n.Machine, n.Address = netip.PrefixFrom(plus(base, 1), 30), netip.PrefixFrom(plus(base, 2), 30)
			n.Pods, n.Services = netip.PrefixFrom(plus(base, 256), 24), netip.PrefixFrom(plus(base, 512), 24)
			return nil
		}
	}
	return errors.New("the machine has routes to all networks that a node could have: 10.192.0.0/10, 172.16.0.0/12 " +
		"and 198.18.0.0/15")
}

// plus so many addresses.
func plus(a netip.Addr, many uint32) netip.Addr {
	b := a.As4()
	binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(b[:])+many)
	return netip.AddrFrom4(b)
}
