package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// configuration is one entry of a list of configuration.
type configuration struct {
	requests []string
	opaque   *v1.OpaqueDeviceConfiguration
}

// configurations that this write is about: those of the spec, or on a status write those of the allocation. Both have
// the same rules.
var configurations = items[configuration]{asked: onAny, each: func(w *write, check check[configuration],
	refuse refuser,
) {
	if w.op == UpdateStatus {
		for i, c := range w.allocatedConfig() {
			check(w, configuration{c.Requests, c.Opaque}, placeOf(allocatedConfigPath).index(i), refuse)
		}
		return
	}
	for i, c := range judged(w, w.new.structured.Devices.Config, v1.DeviceConfigMaxSize) {
		check(w, configuration{c.Requests, c.Opaque}, w.devicesPlace("config").index(i), refuse)
	}
}}

// opaques are the configurations that are opaque.
var opaques = items[*v1.OpaqueDeviceConfiguration]{asked: onAny, each: func(w *write,
	check check[*v1.OpaqueDeviceConfiguration], refuse refuser,
) {
	configurations.each(w, func(w *write, c configuration, at place, refuse refuser) {
		if c.opaque != nil {
			check(w, c.opaque, at.child("opaque"), refuse)
		}
	}, refuse)
}}

var configAtMost32 = atMost(v1.DeviceConfigMaxSize, "config-at-most-32",
	"A claim has at most 32 entries of configuration.",
	"Kubernetes 1.31+ DS30", onSpec, func(w *write) (int, place) {
		return len(w.new.structured.Devices.Config), w.devicesPlace("config")
	})

var configHasOpaque = configurations.rule("config-has-opaque",
	"An entry of configuration, of a claim or of an allocation, is opaque; there is no other kind yet.",
	"Kubernetes 1.31+ DS32 DT21", func(_ *write, c configuration, at place, refuse refuser) {
		if c.opaque == nil {
			refuse(field.Required(at.path().Child("opaque"), ""))
		}
	})

var configDriverIsValid = opaques.rule("config-driver-is-valid",
	"Opaque configuration names the driver that it is for.",
	"Kubernetes 1.31+ DS33 DT21", func(w *write, o *v1.OpaqueDeviceConfiguration, at place, refuse refuser) {
		w.checkDriverName(o.Driver, at.child("driver"), refuse)
	})

var configParametersAtMost10KiB = newer(opaques.rule("config-parameters-at-most-10-kib",
	"The parameters of opaque configuration have at most 10,240 bytes, as they are written; longer ones are not read.",
	"Kubernetes 1.32+ DS34 DT21", func(w *write, o *v1.OpaqueDeviceConfiguration, at place, refuse refuser) {
		if w.tooLarge(o.Parameters.Raw) {
			refuse(field.TooLong(at.path().Child("parameters"), "", maxParameters))
		}
	}))

var configParametersAreObject = opaques.rule("config-parameters-are-an-object",
	"The parameters of opaque configuration are a JSON object.",
	"Kubernetes 1.31+ DS34 DT21", func(w *write, o *v1.OpaqueDeviceConfiguration, at place, refuse refuser) {
		if !w.unread(o.Parameters.Raw) {
			checkParameters(o.Parameters.Raw, at.child("parameters"), refuse)
		}
	})
