package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// configuration is one entry of a list of configuration, with its place.
type configuration struct {
	requests []string
	opaque   *v1.OpaqueDeviceConfiguration
	at       func() *field.Path
}

// configurations that this write is about: those of the spec, or on a status write those of the allocation. Both have
// the same rules.
func (w *write) configurations() iter.Seq[configuration] {
	return func(yield func(configuration) bool) {
		if w.op == UpdateStatus {
			for i := range w.allocatedConfig() {
				c := &w.allocatedConfig()[i]
				if !yield(configuration{c.Requests, c.Opaque, func() *field.Path { return allocatedConfigPath.Index(i) }}) {
					return
				}
			}
			return
		}
		config := judged(w, w.new.structured.Devices.Config, v1.DeviceConfigMaxSize)
		for i := range config {
			c := &config[i]
			if !yield(configuration{c.Requests, c.Opaque, func() *field.Path { return w.configPath().Index(i) }}) {
				return
			}
		}
	}
}

func (w *write) configPath() *field.Path { return w.specPath.Child("devices", "config") }

var configAtMost32 = atMost(v1.DeviceConfigMaxSize, "config-at-most-32",
	"A claim has at most 32 entries of configuration.",
	"Kubernetes 1.31+ DS30", onSpec, func(w *write) (int, *field.Path) { return len(w.new.structured.Devices.Config), w.configPath() })

var configHasOpaque = Rule{
	Name:   "config-has-opaque",
	Reason: "An entry of configuration, of a claim or of an allocation, is opaque; there is no other kind yet.",
	Source: "Kubernetes 1.31+ DS32 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for c := range w.configurations() {
			if c.opaque == nil {
				refuse(field.Required(c.at().Child("opaque"), ""))
			}
		}
	},
}

var configDriverIsValid = Rule{
	Name:   "config-driver-is-valid",
	Reason: "Opaque configuration names the driver that it is for.",
	Source: "Kubernetes 1.31+ DS33 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for c := range w.configurations() {
			if c.opaque != nil {
				w.checkDriverName(c.opaque.Driver, func() *field.Path { return c.at().Child("opaque", "driver") }, refuse)
			}
		}
	},
}

var configParametersAtMost10KiB = Rule{
	Name:   "config-parameters-at-most-10-kib",
	Reason: "The parameters of opaque configuration have at most 10,240 bytes, as they are written; longer ones are not read.",
	Source: "Kubernetes 1.32+ DS34 DT21",
	asked:  onAny,
	ofNew:  true,
	check: func(w *write, refuse refuse) {
		for c := range w.configurations() {
			if c.opaque != nil && w.tooLarge(c.opaque.Parameters.Raw) {
				refuse(field.TooLong(c.at().Child("opaque", "parameters"), "", maxParameters))
			}
		}
	},
}

var configParametersAreObject = Rule{
	Name:   "config-parameters-are-an-object",
	Reason: "The parameters of opaque configuration are a JSON object.",
	Source: "Kubernetes 1.31+ DS34 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for c := range w.configurations() {
			if c.opaque != nil && !w.unread(c.opaque.Parameters.Raw) {
				checkParameters(c.opaque.Parameters.Raw, func() *field.Path { return c.at().Child("opaque", "parameters") }, refuse)
			}
		}
	},
}
