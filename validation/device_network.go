package validation

import (
	"net/netip"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// networkField is the path of a field of what is reported of a network device.
func networkField(i int, name string) func() *field.Path {
	return func() *field.Path { return devicesPath.Index(i).Child("networkData", name) }
}

var interfaceNameAtMost256 = ofEachReport("interface-name-at-most-256", "The name of a network interface has at most 256 bytes.",
	"DT30", func(_ *write, i int, d *v1.AllocatedDeviceStatus, refuse refuse) {
		if n := d.NetworkData; n != nil && len(n.InterfaceName) > v1.NetworkDeviceDataInterfaceNameMaxLength {
			refuse(field.TooLong(networkField(i, "interfaceName")(), "", v1.NetworkDeviceDataInterfaceNameMaxLength))
		}
	})

var hardwareAddressAtMost128 = ofEachReport("hardware-address-at-most-128", "The hardware address of a network device has at most 128 bytes.",
	"DT30", func(_ *write, i int, d *v1.AllocatedDeviceStatus, refuse refuse) {
		if n := d.NetworkData; n != nil && len(n.HardwareAddress) > v1.NetworkDeviceDataHardwareAddressMaxLength {
			refuse(field.TooLong(networkField(i, "hardwareAddress")(), "", v1.NetworkDeviceDataHardwareAddressMaxLength))
		}
	})

var deviceIPsAtMost16 = ofEachReport("device-ips-at-most-16", "A network device has at most 16 addresses.",
	"DT31", func(_ *write, i int, d *v1.AllocatedDeviceStatus, refuse refuse) {
		if n := d.NetworkData; n != nil && len(n.IPs) > v1.NetworkDeviceDataMaxIPs {
			refuse(field.TooMany(networkField(i, "ips")(), len(n.IPs), v1.NetworkDeviceDataMaxIPs))
		}
	})

// ips of a device to judge.
func (w *write) ips(i int) []string {
	if n := w.new.devices[i].NetworkData; n != nil {
		return judged(w, n.IPs, v1.NetworkDeviceDataMaxIPs)
	}
	return nil
}

var deviceIPIsAddress = ofEachReport("device-ip-is-address",
	"An address of a network device has the length of its network, 192.0.2.5/24; from 1.33 on in canonical form.",
	"DT31", func(w *write, i int, _ *v1.AllocatedDeviceStatus, refuse refuse) {
		check := validation.IsValidInterfaceAddress
		if w.release == release1_32 {
			check = isSloppyCIDR
		}
		for k, ip := range w.ips(i) {
			for _, e := range check(nil, ip) {
				refuse(invalidName(networkField(i, "ips")().Index(k), ip, e.Detail))
			}
		}
	})

// isSloppyCIDR is what 1.32 asks for: leading zeros are fine.
func isSloppyCIDR(_ *field.Path, text string) field.ErrorList {
	if normalized(text) == "" {
		return field.ErrorList{field.Invalid(nil, field.OmitValueType{}, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")}
	}
	return nil
}

var deviceIPsAreUnique = ofEachReport("device-ips-are-unique", "A network device has an address once; 1.32 sees through other ways to write it.",
	"DT31", func(w *write, i int, _ *v1.AllocatedDeviceStatus, refuse refuse) {
		keyOf := func(ip *string) string {
			if w.release == release1_32 {
				return normalized(*ip)
			}
			return *ip
		}
		ips := w.ips(i)
		for k := range repeatedBy(ips, keyOf) {
			refuse(field.Duplicate(networkField(i, "ips")().Index(k), shown(ips[k])))
		}
	})

// normalized address, without leading zeros; empty for what is none.
func normalized(text string) string {
	address, bits, _ := strings.Cut(text, "/")
	last := strings.LastIndexByte(address, ':') + 1
	if numbers := strings.Split(address[last:], "."); len(numbers) == 4 {
		for i := range numbers {
			numbers[i] = withoutZeros(numbers[i])
		}
		address = address[:last] + strings.Join(numbers, ".")
	}
	prefix, err := netip.ParsePrefix(address + "/" + withoutZeros(bits))
	if err != nil {
		return ""
	}
	return prefix.Addr().Unmap().String() + "/" + strconv.Itoa(prefix.Bits())
}

// withoutZeros before a number, but for zero itself.
func withoutZeros(number string) string {
	if short := strings.TrimLeft(number, "0"); short != "" || number == "" {
		return short
	}
	return "0"
}
