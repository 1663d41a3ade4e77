package preflight

import (
	"context"
	"errors"
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ErrNoGroup is for a run without a group, where the cluster does not say which it is either.
var ErrNoGroup = errors.New("--group is required here")

// servedCertificates stand among resources for what is presented at a URL.
var servedCertificates = resource{kind: "certificate"}

// read the state of a cluster.
func read(ctx context.Context, c *cluster, o Options) (*state, error) {
	s := &state{
		Options:        o,
		named:          map[string]*apiextensionsv1.CustomResourceDefinition{},
		services:       map[types.NamespacedName]*corev1.Service{},
		endpoints:      map[types.NamespacedName][]discoveryv1.EndpointSlice{},
		secrets:        map[string]*corev1.Secret{},
		presented:      map[string]chain{},
		configurations: map[resource]*admissionregistrationv1.ValidatingWebhookConfiguration{},
	}
	deployment, err := get[appsv1.Deployment](ctx, c, deployments, o.Namespace, name)
	s.deployment = deployment
	if s.Group == "" {
		if s.Group, err = groupOf(deployment, err, o.Namespace); err != nil {
			return nil, err
		}
	}
	s.note(deployments, o.Namespace, name, "get", err)
	s.apiServices, err = list[apiService](ctx, c, apiServices, "", "")
	s.note(apiServices, "", "", "list", err)
	for _, plural := range []string{claims, templates} {
		s.named[plural] = one[apiextensionsv1.CustomResourceDefinition](ctx, c, s, definitions, "",
			s.definitionName(plural))
	}
	for kind := range paths {
		s.configurations[kind] = one[admissionregistrationv1.ValidatingWebhookConfiguration](ctx, c, s, kind, "", name)
	}
	called := []types.NamespacedName{{Namespace: o.Namespace, Name: name}}
	for _, calls := range s.calledServices() {
		called = append(called, types.NamespacedName{Namespace: calls[0].namespace, Name: calls[0].service})
	}
	for _, at := range called {
		if _, known := s.services[at]; known {
			continue
		}
		s.services[at] = one[corev1.Service](ctx, c, s, services, at.Namespace, at.Name)
		s.endpoints[at], err = list[discoveryv1.EndpointSlice](ctx, c, endpointSlices, at.Namespace,
			discoveryv1.LabelServiceName+"="+at.Name)
		s.note(endpointSlices, at.Namespace, "", "list", err)
	}
	for _, name := range []string{servingSecret, authoritySecret, s.certificateSource().name} {
		if _, known := s.secrets[name]; !known {
			s.secrets[name] = one[corev1.Secret](ctx, c, s, secrets, o.Namespace, name)
		}
	}
	s.dial(ctx)
	return s, ctx.Err()
}

// one object, which is nil when there is none or it could not be read.
func one[T any](ctx context.Context, c *cluster, s *state, r resource, namespace, name string) *T {
	object, err := get[T](ctx, c, r, namespace, name)
	s.note(r, namespace, name, "get", err)
	return object
}

// note what could not be read.
func (s *state) note(r resource, namespace, name, verb string, err error) {
	if err != nil {
		s.unread = append(s.unread, unread{r, unseen(r.object(namespace, name), verb, r, err)})
	}
}

// dial what is called by URL, for the certificate that it presents.
func (s *state) dial(ctx context.Context) {
	for _, c := range s.calls() {
		if c.url == "" || s.presented[c.url] != nil {
			continue
		}
		var err error
		if s.presented[c.url], err = presented(ctx, c.address(), c.serverName()); err != nil {
			s.unread = append(s.unread, unread{servedCertificates, Finding{
				Unknown, c.object, oneLine("could not look at what " + c.url + " presents: " + err.Error()),
				"run preflight where that address can be reached, as it can from the API server", "",
			}})
		}
	}
}

// groupOf the server of a namespace, by its flags.
func groupOf(deployment *appsv1.Deployment, err error, namespace string) (string, error) {
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: could not look which group is served: %s", ErrNoGroup, oneLine(message(err)))
	case deployment == nil:
		return "", fmt.Errorf("%w: there is no Deployment %s in namespace %s that says which group it serves",
			ErrNoGroup, name, namespace)
	}
	groups := groupsOf(deployment)
	if len(groups) > 1 || groups[0] == "*" {
		return "", fmt.Errorf("%w: the server in namespace %s serves %s",
			ErrNoGroup, namespace, strings.Join(groups, ", "))
	}
	return groups[0], nil
}
