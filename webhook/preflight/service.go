package preflight

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/utils/ptr"
)

// httpsPort is the port of a Service that API servers call by default.
const httpsPort = 443

// call is how API servers call claimbridge for one CRD or one admission webhook.
type call struct {
	// field is the field that configures the call, as reasons name it.
	field string
	// path is the path of the call, and wantPath the path at which claimbridge serves it.
	wantPath, path string
	// namespace and service are empty for a URL.
	namespace, service string
	port               int32
	caBundle           []byte
}

// calls returns how API servers call claimbridge, for each CRD and each admission webhook of the group.
func (c *cluster) calls(ctx context.Context) (all []call, err error) {
	crds, err := c.definitions(ctx)
	if err != nil {
		return nil, err
	}
	for _, crd := range crds {
		if client := conversionWebhook(crd); client != nil {
			field := customResources.describe("", crd.Name) + ": spec.conversion.webhook.clientConfig"
			service := (*admissionregistrationv1.ServiceReference)(client.Service)
			all = append(all, newCall(field, "/convert", service, client.URL, client.CABundle))
		}
	}
	webhooks, err := c.admissionWebhooks(ctx)
	for _, w := range webhooks {
		path := "/validate"
		if w.kind == mutatingConfigurations {
			path = "/default"
		}
		client := w.ClientConfig
		all = append(all, newCall(w.describe()+".clientConfig", path, client.Service, client.URL, client.CABundle))
	}
	return all, err
}

func newCall(
	field, wantPath string, service *admissionregistrationv1.ServiceReference, address *string, caBundle []byte,
) call {
	c := call{field: field, wantPath: wantPath, caBundle: caBundle}
	if service != nil {
		c.namespace = service.Namespace
		c.service = service.Name
		c.path = ptr.Deref(service.Path, "/")
		c.port = ptr.Deref(service.Port, httpsPort)
	} else if parsed, err := url.Parse(ptr.Deref(address, "")); err == nil {
		c.path = parsed.Path
	}
	return c
}

// serviceCalls returns the calls that name the Service of this installation.
func (c *cluster) serviceCalls(ctx context.Context) ([]call, error) {
	all, err := c.calls(ctx)
	return slices.DeleteFunc(all, func(call call) bool {
		return call.service != appName || call.namespace != c.Namespace
	}), err
}

func webhooksCallThisInstallation(ctx context.Context, c *cluster) error {
	all, err := c.calls(ctx)
	if err != nil {
		return err
	}
	return each(all, func(call call) error {
		switch {
		case call.service != "" && (call.service != appName || call.namespace != c.Namespace):
			return fmt.Errorf("%s calls Service %s/%s, not %s/%s", call.field, call.namespace, call.service,
				c.Namespace, appName)
		case call.path != call.wantPath:
			return fmt.Errorf("%s calls the path %q, not %s", call.field, call.path, call.wantPath)
		}
		return nil
	})
}

func (c *cluster) service(ctx context.Context) (*corev1.Service, error) {
	return get[corev1.Service](ctx, c, services, c.Namespace, appName)
}

func serviceExists(ctx context.Context, c *cluster) error {
	calls, err := c.serviceCalls(ctx)
	if err != nil || len(calls) == 0 {
		return err
	}
	service, err := c.service(ctx)
	if err == nil && service == nil {
		return fmt.Errorf("%s does not exist", services.describe(c.Namespace, appName))
	}
	return err
}

func serviceHasEndpoints(ctx context.Context, c *cluster) error {
	calls, err := c.serviceCalls(ctx)
	if err != nil {
		return err
	}
	service, err := c.service(ctx)
	if err != nil || service == nil || service.Spec.Type == corev1.ServiceTypeExternalName {
		return err // an external name has neither ports nor endpoints
	}
	endpoints, err := list[discoveryv1.EndpointSlice](ctx, c, endpointSlices, c.Namespace,
		discoveryv1.LabelServiceName+"="+appName)
	if err != nil {
		return err
	}
	return each(calls, func(call call) error { return checkReachable(service, endpoints, call.port) })
}

// checkReachable returns an error if calls to a port of a Service reach no pod.
func checkReachable(service *corev1.Service, all []discoveryv1.EndpointSlice, number int32) error {
	object := services.describe(service.Namespace, service.Name)
	i := slices.IndexFunc(service.Spec.Ports, func(p corev1.ServicePort) bool {
		return p.Port == number && (p.Protocol == "" || p.Protocol == corev1.ProtocolTCP)
	})
	if i < 0 {
		return fmt.Errorf("%s has no TCP port %d, which API servers call", object, number)
	}
	port := service.Spec.Ports[i]
	for _, slice := range all {
		hasPort := slices.ContainsFunc(slice.Ports, func(p discoveryv1.EndpointPort) bool {
			return ptr.Deref(p.Name, "") == port.Name && p.Port != nil
		})
		isReady := slices.ContainsFunc(slice.Endpoints, func(e discoveryv1.Endpoint) bool {
			return ptr.Deref(e.Conditions.Ready, true) // as for API servers, unknown counts as ready
		})
		if hasPort && isReady {
			return nil
		}
	}
	return fmt.Errorf("%s has no ready endpoint for port %d: no pod that its selector matches is ready and has the port "+
		"%s", object, number, port.TargetPort.String())
}
