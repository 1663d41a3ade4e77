package node

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
)

// maxNodes is the number of nodes that can run on one machine at the same time.
const maxNodes = 64

// ranges are the address ranges for nodes. The first two are for private use (RFC 1918), and the last one is for tests
// (RFC 2544).
var ranges = []netip.Prefix{
	netip.MustParsePrefix("10.192.0.0/10"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("198.18.0.0/15"),
}

// A node has a block of four /24 networks. The first is for its link, the second for pods, and the third for Services.
const (
	blockBits = 22
	blockSize = 1 << (32 - blockBits)
)

// setNetworks sets the networks of the node in a slot to a block that overlaps none of the machine's routes. Blocks of
// different slots never overlap.
func (n *spec) setNetworks(slot int, routes []netip.Prefix) error {
	i := 0
	for _, r := range ranges {
		for base := r.Addr(); r.Contains(base); base = addToAddress(base, blockSize) {
			block := netip.PrefixFrom(base, blockBits)
			if i++; (i-1)%maxNodes != slot || slices.ContainsFunc(routes, block.Overlaps) {
				continue
			}
			n.HostAddress = netip.PrefixFrom(addToAddress(base, 1), 30)
			n.Address = netip.PrefixFrom(addToAddress(base, 2), 30)
			n.Pods = netip.PrefixFrom(addToAddress(base, 256), 24)
			n.Services = netip.PrefixFrom(addToAddress(base, 512), 24)
			return nil
		}
	}
	return errors.New("the machine has routes to all networks that a node could have: 10.192.0.0/10, 172.16.0.0/12 " +
		"and 198.18.0.0/15")
}

func addToAddress(a netip.Addr, count uint32) netip.Addr {
	b := a.As4()
	binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(b[:])+count)
	return netip.AddrFrom4(b)
}
