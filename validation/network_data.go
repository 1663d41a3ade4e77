package validation

import (
	"fmt"
	"iter"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// networkDataRules are about the network data in the status of a device.
var networkDataRules = []Rule{
	{
		Name:              "interface-name-at-most-256",
		Reason:            "The name of a network interface has at most 256 bytes.",
		Source:            "Kubernetes 1.32+ DT30",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, data := range in.networkData() {
				if len(data.InterfaceName) > v1.NetworkDeviceDataInterfaceNameMaxLength {
					errs = add(errs, field.TooLong(path.Child("interfaceName"), "",
						v1.NetworkDeviceDataInterfaceNameMaxLength))
				}
			}
			return errs
		},
	},
	{
		Name:              "hardware-address-at-most-128",
		Reason:            "The hardware address of a network device has at most 128 bytes.",
		Source:            "Kubernetes 1.32+ DT30",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, data := range in.networkData() {
				if len(data.HardwareAddress) > v1.NetworkDeviceDataHardwareAddressMaxLength {
					errs = add(errs, field.TooLong(path.Child("hardwareAddress"), "",
						v1.NetworkDeviceDataHardwareAddressMaxLength))
				}
			}
			return errs
		},
	},
	{
		Name:              "device-ips-at-most-16",
		Reason:            "A network device has at most 16 addresses.",
		Source:            "Kubernetes 1.32+ DT31",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, data := range in.networkData() {
				if len(data.IPs) > v1.NetworkDeviceDataMaxIPs {
					errs = add(errs, field.TooMany(path.Child("ips"), len(data.IPs), v1.NetworkDeviceDataMaxIPs))
				}
			}
			return errs
		},
	},
	{
		Name: "device-ip-is-address",
		Reason: "An address of a network device has a prefix length, such as 192.0.2.5/24. Since 1.33, it is in " +
			"canonical form.",
		Source:            "Kubernetes 1.32+ DT31",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check:             checkIPs,
	},
	{
		Name: "device-ips-are-unique",
		Reason: "The addresses of a network device are unique. Kubernetes 1.32 compares them without leading " +
			"zeros.",
		Source:            "Kubernetes 1.32+ DT31",
		Since:             release1_32,
		coversLaterFields: true,
		operations:        onStatus,
		check:             checkIPsAreUnique,
	},
}

// networkData returns the network data of all devices that have some, with its path.
func (in *input) networkData() iter.Seq2[*field.Path, *v1.NetworkDeviceData] {
	return func(yield func(*field.Path, *v1.NetworkDeviceData) bool) {
		for i := range in.new.status.Devices {
			data := in.new.status.Devices[i].NetworkData
			if data != nil && !yield(devicesPath.Index(i).Child("networkData"), data) {
				return
			}
		}
	}
}

func checkIPs(in *input) (errs field.ErrorList) {
	for path, data := range in.networkData() {
		for i, ip := range validatedItems(in, data.IPs, v1.NetworkDeviceDataMaxIPs) {
			problems := validation.IsValidInterfaceAddress(nil, ip)
			if in.release.acceptsLegacyIPs() {
				problems = validation.IsValidCIDRForLegacyField(nil, ip, false, nil)
			}
			for _, e := range problems {
				errs = add(errs, invalidName(path.Child("ips").Index(i), ip, e.Detail)...)
			}
		}
	}
	return errs
}

func checkIPsAreUnique(in *input) (errs field.ErrorList) {
	keyOf := func(ip *string) string { return *ip }
	if in.release.acceptsLegacyIPs() {
		keyOf = normalizedIP
	}
	for path, data := range in.networkData() {
		ips := validatedItems(in, data.IPs, v1.NetworkDeviceDataMaxIPs)
		for i := range duplicatesBy(ips, keyOf) {
			errs = add(errs, field.Duplicate(path.Child("ips").Index(i), nameValue(ips[i])))
		}
	}
	return errs
}

// normalizedIP returns an address without leading zeros; empty for an invalid one.
func normalizedIP(text *string) string {
	ip, network, err := netutils.ParseCIDRSloppy(*text)
	if err != nil {
		return ""
	}
	bits, _ := network.Mask.Size()
	return fmt.Sprintf("%s/%d", ip, bits)
}
