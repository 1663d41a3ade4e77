package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// networks are what is reported of network devices.
var networks = items[*v1.NetworkDeviceData]{
	asked: onStatus, ofLaterFields: true,
	each: func(w *write, check check[*v1.NetworkDeviceData], refuse refuser) {
		for i := range w.new.devices {
			if n := w.new.devices[i].NetworkData; n != nil {
				check(w, n, placeOf(devicesPath).index(i).child("networkData"), refuse)
			}
		}
	},
}

var interfaceNameAtMost256 = networks.rule("interface-name-at-most-256",
	"The name of a network interface has at most 256 bytes.",
	"Kubernetes 1.32+ DT30", func(_ *write, n *v1.NetworkDeviceData, at place, refuse refuser) {
		if len(n.InterfaceName) > v1.NetworkDeviceDataInterfaceNameMaxLength {
			refuse(field.TooLong(at.path().Child("interfaceName"), "", v1.NetworkDeviceDataInterfaceNameMaxLength))
		}
	})

var hardwareAddressAtMost128 = networks.rule("hardware-address-at-most-128",
	"The hardware address of a network device has at most 128 bytes.",
	"Kubernetes 1.32+ DT30", func(_ *write, n *v1.NetworkDeviceData, at place, refuse refuser) {
		if len(n.HardwareAddress) > v1.NetworkDeviceDataHardwareAddressMaxLength {
			refuse(field.TooLong(at.path().Child("hardwareAddress"), "", v1.NetworkDeviceDataHardwareAddressMaxLength))
		}
	})

var deviceIPsAtMost16 = networks.rule("device-ips-at-most-16", "A network device has at most 16 addresses.",
	"Kubernetes 1.32+ DT31", func(_ *write, n *v1.NetworkDeviceData, at place, refuse refuser) {
		if len(n.IPs) > v1.NetworkDeviceDataMaxIPs {
			refuse(field.TooMany(at.path().Child("ips"), len(n.IPs), v1.NetworkDeviceDataMaxIPs))
		}
	})

var deviceIPIsAddress = networks.rule("device-ip-is-address",
	"An address of a network device has the length of its network, 192.0.2.5/24; from 1.33 on in canonical form.",
	"Kubernetes 1.32+ DT31", func(w *write, n *v1.NetworkDeviceData, at place, refuse refuser) {
		for k, ip := range judged(w, n.IPs, v1.NetworkDeviceDataMaxIPs) {
			problems := validation.IsValidInterfaceAddress(nil, ip)
			if w.release == release1_32 { // leading zeros are fine
				problems = validation.IsValidCIDRForLegacyField(nil, ip, false, nil)
			}
			for _, e := range problems {
				refuse(invalidName(at.path().Child("ips").Index(k), ip, e.Detail))
			}
		}
	})

var deviceIPsAreUnique = networks.rule("device-ips-are-unique",
	"A network device has an address once; 1.32 sees through other ways to write it.",
	"Kubernetes 1.32+ DT31", func(w *write, n *v1.NetworkDeviceData, at place, refuse refuser) {
		keyOf := func(ip *string) string {
			if w.release == release1_32 {
				return normalized(*ip)
			}
			return *ip
		}
		ips := judged(w, n.IPs, v1.NetworkDeviceDataMaxIPs)
		for k := range repeatedBy(ips, keyOf) {
			refuse(field.Duplicate(at.path().Child("ips").Index(k), shown(ips[k])))
		}
	})

// normalized address, without leading zeros; empty for what is none.
func normalized(text string) string {
	ip, network, err := netutils.ParseCIDRSloppy(text)
	if err != nil {
		return ""
	}
	bits, _ := network.Mask.Size()
	return fmt.Sprintf("%s/%d", ip, bits)
}
