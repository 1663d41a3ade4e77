package preflight

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/config"
)

var serviceHasPort = Check{
	Name:     "service-has-port",
	Reason:   "API servers call a port of the Service by its number, 443 when none is given.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		for _, calls := range v.calledServices() {
			service, _ := v.service(calls[0].namespace, calls[0].service)
			if service == nil || service.Spec.Type == corev1.ServiceTypeExternalName {
				continue // service-exists says the one, and the other has no ports
			}
			for _, c := range calls {
				if portOf(service, c.port) == nil {
					same := slices.DeleteFunc(slices.Clone(calls), func(other call) bool { return other.port != c.port })
					v.report(services.object(c.namespace, c.service), fmt.Sprintf("has no TCP port %d, but that is called by %s", c.port, callers(same)), v.serviceAnew(c))
				}
			}
		}
	},
}

func portOf(service *corev1.Service, number int32) *corev1.ServicePort {
	i := slices.IndexFunc(service.Spec.Ports, func(p corev1.ServicePort) bool {
		return p.Port == number && (p.Protocol == "" || p.Protocol == corev1.ProtocolTCP)
	})
	if i < 0 {
		return nil
	}
	return &service.Spec.Ports[i]
}

// serviceAnew, where applying it would leave a wrong port or type beside the right one.
func (v *view) serviceAnew(c call) remedy {
	r := v.apply(config.ServerPart)
	return remedy{"delete it, and " + r.text, v.kubectl("-n", c.namespace, "delete", "service", c.service) + " && " + r.command}
}
