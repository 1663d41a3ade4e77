package preflight

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/claimbridge/claimbridge/config"
)

// whoCalls is what says who is called, and by which Service.
var whoCalls = []resource{definitions, validatingConfigurations, mutatingConfigurations, services}

var serviceExists = &Check{
	Name:   "service-exists",
	Reason: "API servers find claimbridge by its Service. Without it no claim can be converted and none can be written.",
	after:  []*Check{conversionIsNotLeftBehind},
	reads:  whoCalls,
	find: each((*state).calledServices, func(s *state, r *report, calls []call) {
		c := calls[0]
		if s.service(c.namespace, c.service) != nil {
			return
		}
		do := s.applyTo(c) // which names the wrong one
		if s.isCalled(c) {
			do = s.apply(config.ServerPart)
		}
		r.problem(services.object(c.namespace, c.service),
			"does not exist, or its namespace does not, but is called by "+callers(calls), do)
	}),
}

var webhooksCallThisInstallation = &Check{
	Name: "webhooks-call-this-installation",
	Reason: "Another Service may be of another release. A wrong path is answered with 404, which users see as \"the " +
		"server rejected our request\".",
	after: []*Check{serviceExists},
	reads: whoCalls,
	find: each((*state).calls, func(s *state, r *report, c call) {
		if c.path != c.wantPath {
			r.problem(c.object,
				fmt.Sprintf("%s calls the path %q, claimbridge answers on %s", c.field, c.path, c.wantPath),
				s.applyTo(c))
		}
		if c.url != "" || s.isCalled(c) {
			return
		}
		do := s.applyTo(c)
		if c.service == name {
			do.text += fmt.Sprintf("; if claimbridge is in namespace %s, run preflight with --namespace=%s instead",
				c.namespace, c.namespace)
		}
		r.problem(c.object,
			fmt.Sprintf("%s calls Service %s/%s, not %s/%s", c.field, c.namespace, c.service, s.Namespace, name), do)
	}),
}

var serviceHasPort = &Check{
	Name:   "service-has-port",
	Reason: "API servers call a port of the Service by its number, 443 when none is given.",
	after:  []*Check{serviceExists},
	reads:  whoCalls,
	find: each((*state).calledServices, func(s *state, r *report, calls []call) {
		service := s.service(calls[0].namespace, calls[0].service)
		if service == nil || service.Spec.Type == corev1.ServiceTypeExternalName {
			return // which has no ports
		}
		for _, c := range calls {
			if portOf(service, c.port) == nil {
				same := slices.DeleteFunc(slices.Clone(calls), func(other call) bool { return other.port != c.port })
				r.problem(services.object(c.namespace, c.service),
					fmt.Sprintf("has no TCP port %d, but that is called by %s", c.port, callers(same)),
					s.replaceService(c))
			}
		}
	}),
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

var serviceHasEndpoints = &Check{
	Name:   "service-has-endpoints",
	Reason: "A Service without a pod that is ready leads nowhere.",
	after:  []*Check{deploymentIsAvailable, serviceExists, serviceHasPort},
	reads:  append([]resource{endpointSlices}, whoCalls...),
	find: each((*state).calledServices, func(s *state, r *report, calls []call) {
		c := calls[0]
		service := s.service(c.namespace, c.service)
		if service == nil || service.Spec.Type == corev1.ServiceTypeExternalName {
			return // a name for something elsewhere
		}
		port := portOf(service, c.port)
		if port == nil {
			return
		}
		what := unreachable(s.endpoints[types.NamespacedName{Namespace: c.namespace, Name: c.service}], port)
		if what != "" {
			r.problem(services.object(c.namespace, c.service), what+", but it is called by "+callers(calls),
				say("see whether pods have the labels that its selector wants, and whether they are ready").
					by(s.kubectl("-n", c.namespace, "describe", "service", c.service),
						s.kubectl("-n", c.namespace, "get", "pods", "--show-labels")))
		}
	}),
}

// unreachable says why no endpoint takes calls to a port, or nothing.
func unreachable(all []discoveryv1.EndpointSlice, port *corev1.ServicePort) string {
	endpoints, ready := 0, 0
	for _, slice := range all {
		hasPort := slices.ContainsFunc(slice.Ports, func(p discoveryv1.EndpointPort) bool {
			return ptr.Deref(p.Name, "") == port.Name && p.Port != nil
		})
		for _, endpoint := range slice.Endpoints {
			endpoints++
			if ptr.Deref(endpoint.Conditions.Ready, true) { // unknown counts as ready, as API servers have it
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
