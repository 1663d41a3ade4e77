package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// configuration is one entry of a list of configuration, with its place.
type configuration struct {
	requests []string
	opaque   *v1alpha3.OpaqueDeviceConfiguration
	at       func() *field.Path
}

// configurations that this write is about: those of the spec, or on a status write those of the allocation. Both have
// the same rules.
func (w *write) configurations() iter.Seq[configuration] {
	return func(yield func(configuration) bool) {
		if w.op == UpdateStatus {
			for i := range w.allocated().Config {
				c := &w.allocated().Config[i]
				if !yield(configuration{c.Requests, c.Opaque, func() *field.Path { return allocatedConfigPath.Index(i) }}) {
					return
				}
			}
			return
		}
		for i := range w.new.structured.Devices.Config {
			c := &w.new.structured.Devices.Config[i]
			if !yield(configuration{c.Requests, c.Opaque, func() *field.Path { return w.configPath().Index(i) }}) {
				return
			}
		}
	}
}

func (w *write) configPath() *field.Path { return w.specPath.Child("devices", "config") }

var configAtMost32 = Rule{
	Name:   "config-at-most-32",
	Reason: "A claim has at most 32 entries of configuration.",
	Source: "Kubernetes 1.31 DS30",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		if n := len(w.new.structured.Devices.Config); n > v1alpha3.DeviceConfigMaxSize {
			refuse(tooManyItems(w.configPath(), n, v1alpha3.DeviceConfigMaxSize))
		}
	},
}

var configHasOpaque = Rule{
	Name:   "config-has-opaque",
	Reason: "An entry of configuration, of a claim or of an allocation, is opaque; there is no other kind yet.",
	Source: "Kubernetes 1.31 DS32 DT21",
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
	Source: "Kubernetes 1.31 DS33 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for c := range w.configurations() {
			if c.opaque != nil {
				checkDriverName(c.opaque.Driver, func() *field.Path { return c.at().Child("opaque", "driver") }, refuse)
			}
		}
	},
}

var configParametersAreObject = Rule{
	Name:   "config-parameters-are-an-object",
	Reason: "The parameters of opaque configuration are a JSON object, of any size in 1.31.",
	Source: "Kubernetes 1.31 DS34 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for c := range w.configurations() {
			if c.opaque != nil {
				checkParameters(c.opaque.Parameters.Raw, func() *field.Path { return c.at().Child("opaque", "parameters") }, refuse)
			}
		}
	},
}
