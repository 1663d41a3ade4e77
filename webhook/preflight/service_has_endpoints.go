package preflight

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

var serviceHasEndpoints = Check{
	Name:     "service-has-endpoints",
	Reason:   "A Service without a pod that is ready leads nowhere.",
	Severity: Problem,
	Remedy:   "See why no pod matches its selector, or none is ready.",
	find: func(v *view) {
		for _, calls := range v.calledServices() {
			c := calls[0]
			service, _ := v.service(c.namespace, c.service)
			if v.found(deploymentIsAvailable, certificateSecretIsFilled) && c.namespace == v.options.Namespace {
				continue // no pod is ready, and these say why
			}
			if service == nil || service.Spec.Type == corev1.ServiceTypeExternalName {
				continue // service-exists says the one, and the other is a name for something elsewhere
			}
			slices, seen := list[discoveryv1.EndpointSlice](v, endpointSlices, c.namespace, discoveryv1.LabelServiceName+"="+c.service)
			port := portOf(service, c.port)
			if !seen || port == nil {
				continue
			}
			if what := unreachable(slices, port); what != "" {
				v.report(services.object(c.namespace, c.service), what+", but it is called by "+callers(calls),
					say("see whether pods have the labels that its selector wants, and whether they are ready").
						by(v.kubectl("-n", c.namespace, "describe", "service", c.service), v.kubectl("-n", c.namespace, "get", "pods", "--show-labels")))
			}
		}
	},
}

// unreachable says why no endpoint takes calls to a port, or nothing.
func unreachable(all []discoveryv1.EndpointSlice, port *corev1.ServicePort) string {
	endpoints, ready := 0, 0
	for _, slice := range all {
		hasPort := slices.ContainsFunc(slice.Ports, func(p discoveryv1.EndpointPort) bool { return deref(p.Name, "") == port.Name && p.Port != nil })
		for _, endpoint := range slice.Endpoints {
			endpoints++
			if deref(endpoint.Conditions.Ready, true) { // unknown counts as ready, as API servers have it
				ready++
				if hasPort {
					return ""
				}
			}
		}
	}
	switch {
	case endpoints == 0:
		return "has no endpoints: no pod matches its selector"
	case ready == 0:
		return fmt.Sprintf("has no endpoint that is ready, of %d", endpoints)
	}
	return fmt.Sprintf("its pods have no port %s, the target of port %d", port.TargetPort.String(), port.Port)
}
