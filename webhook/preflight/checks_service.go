package preflight

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/claimbridge/claimbridge/config"
)

// serviceChecks are about the way to the server.
var serviceChecks = []Check{
	webhooksCallThisInstallation,
	serviceExists,
	serviceHasPort,
	serviceHasEndpoints,
}

var webhooksCallThisInstallation = Check{
	Name:     "webhooks-call-this-installation",
	Reason:   "A service of another installation may be of another release, and its certificates are not the ones that are looked at here. A wrong path is answered with 404, which users see as \"the server rejected our request\".",
	Severity: Problem,
	Remedy:   "Apply the manifests again, or say with --namespace which installation is meant.",
	find: func(v *view) {
		for _, c := range v.calls() {
			if c.path != c.wantPath {
				v.report(c.object, fmt.Sprintf("%s calls the path %q, claimbridge answers on %s", c.field, c.path, c.wantPath), v.applyTo(c))
			}
			if c.url != "" || c.namespace == v.options.Namespace && c.service == name {
				continue
			}
			if service, _ := v.aside().service(c.namespace, c.service); service == nil {
				continue // service-exists says so
			}
			v.report(c.object, fmt.Sprintf("%s calls Service %s/%s, not %s/%s", c.field, c.namespace, c.service, v.options.Namespace, name),
				v.callThis(c))
		}
	},
}

// callThis installation, unless the other one was meant.
func (v *view) callThis(c call) remedy {
	r := v.applyTo(c)
	if c.service == name {
		r.text += fmt.Sprintf("; if claimbridge is in namespace %s, run preflight with --namespace=%s instead", c.namespace, c.namespace)
	}
	return r
}

var serviceExists = Check{
	Name:     "service-exists",
	Reason:   "API servers find claimbridge by its Service. Without it no claim can be converted and none can be written.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		if len(v.aside().leftBehind()) > 0 {
			return // conversion-is-not-left-behind says so
		}
		for _, calls := range v.calledServices() {
			c := calls[0]
			if service, seen := v.service(c.namespace, c.service); service == nil && seen {
				v.report(services.object(c.namespace, c.service), "does not exist, or its namespace does not, but is called by "+callers(calls), v.calledAgain(c))
			}
		}
	},
}

// calledAgain by the objects that call a Service which is not there: either it has to be made, or they name the wrong one.
func (v *view) calledAgain(c call) remedy {
	if c.namespace == v.options.Namespace && c.service == name {
		return v.apply(config.ServerPart)
	}
	return v.applyTo(c)
}

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

var serviceHasEndpoints = Check{
	Name:     "service-has-endpoints",
	Reason:   "A Service without a pod that is ready leads nowhere.",
	Severity: Problem,
	Remedy:   "See why no pod matches its selector, or none is ready.",
	find: func(v *view) {
		for _, calls := range v.calledServices() {
			c := calls[0]
			service, _ := v.service(c.namespace, c.service)
			if c.namespace == v.options.Namespace && v.explained(deploymentIsAvailable, certificateSecretIsFilled) {
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
