// Package guard sees whether a cluster serves an old version of resource.k8s.io itself, so that nothing stands before it.
//
// An APIService without a service says so: it is the API server's own. Where there is one with a service, which hides what the API server
// may have, only its OpenAPI index tells: that has the documents of both, under one name, and each answer names either of them.
package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
	"github.com/claimbridge/claimbridge/internal/hidden"
)

// Finding is a reason not to serve a version.
type Finding struct {
	Version string
	// Hidden: the version is served here, and hides that of the cluster. It must not be given up without more: its clients would get 503, and
	// an API server that starts meanwhile would wait for it. What is not hidden is served by the cluster, whatever is served here.
	Hidden bool
	// Text says what it is, with the remedy.
	Text string
}

// Guard of a cluster.
type Guard struct {
	get      hidden.Get
	versions []string
}

// New guard of the versions that are to be served. It asks with the rights of the configuration: to get APIServices and
// CustomResourceDefinitions, and what everybody may.
func New(cluster *rest.Config, versions []string) (*Guard, error) {
	client, err := discovery.NewDiscoveryClientForConfig(cluster)
	if err != nil {
		return nil, err
	}
	return &Guard{versions: versions, get: func(ctx context.Context, path string) ([]byte, error) {
		result := client.RESTClient().Get().AbsPath(path).Do(ctx)
		body, _ := result.Raw()
		err := result.Error() // which has the API server's own words; those of Raw are "unknown"
		if apierrors.IsForbidden(err) {
			err = fmt.Errorf("%w; the ClusterRole claimbridge-apiserver-guard of 'claimbridge manifests --aggregated --only=server' gives this right", err)
		}
		return body, err
	}}, nil
}

// Store is an error when the cluster has no resource.k8s.io/v1 of its own, or cannot be asked.
func (g *Guard) Store(ctx context.Context) error {
	const needed = "the cluster does not serve resource.k8s.io/v1 itself, from which older versions are made: Kubernetes 1.34 or later does, unless its API server turns it off"
	_, err := g.get(ctx, "/apis/"+api.Group+"/"+served.Stored)
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("%s", needed)
	}
	if err != nil {
		return fmt.Errorf("the cluster's resource.k8s.io/v1 cannot be reached: %w", err)
	}
	service, err := g.service(ctx, served.Stored)
	if err != nil {
		return err
	}
	if service.definition() {
		return fmt.Errorf("%s; here a CustomResourceDefinition does, whose versions its conversion webhook serves", needed)
	}
	return nil
}

// Served are findings of versions that the cluster serves itself, whatever is served here. It asks nothing that would lead back to this server,
// which may not be serving yet.
func (g *Guard) Served(ctx context.Context) ([]Finding, error) {
	var found []Finding
	for _, version := range g.versions {
		service, err := g.service(ctx, version)
		if err != nil {
			return nil, err
		}
		switch name := api.Group + "/" + version; {
		case service.definition():
			found = append(found, Finding{Version: version, Text: fmt.Sprintf("%s is served by a CustomResourceDefinition: "+
				"take %s out of --versions, or the definition away, as docs/upgrades.md says", name, version)})
		case service.local():
			found = append(found, Finding{Version: version, Text: fmt.Sprintf("%s is served by the cluster itself: take %s out of --versions", name, version)})
		}
	}
	return found, nil
}

// Look for all reasons not to serve the versions.
func (g *Guard) Look(ctx context.Context) ([]Finding, error) {
	found, err := g.Served(ctx)
	if err != nil {
		return nil, err
	}
	definition, err := g.definition(ctx)
	if err != nil {
		return nil, err
	}
	for _, version := range g.versions {
		if slices.ContainsFunc(found, func(f Finding) bool { return f.Version == version }) {
			continue
		}
		if definition != "" {
			found = append(found, Finding{Version: version, Hidden: true, Text: fmt.Sprintf("there is a CustomResourceDefinition %s, "+
				"while the cluster serves the group itself: nobody can reach its objects, and it hides the cluster's own; delete it", definition)})
			continue
		}
		name := api.Group + "/" + version
		behind, err := hidden.Behind(ctx, g.get, name)
		if err != nil {
			return nil, err
		}
		if behind {
			found = append(found, Finding{Version: version, Hidden: true, Text: fmt.Sprintf("%s has been turned on in the API server, and is hidden "+
				"by APIService %s.%s: an API server that starts while this server is away will not get ready. Turn it off again "+
				"(--runtime-config=%s=false), or take %s out of --versions, delete the APIService and then restart the API servers",
				name, version, api.Group, name, version)})
		}
	}
	return found, nil
}

// definition of a resource that is served here; "" when there is none.
func (g *Guard) definition(ctx context.Context) (string, error) {
	for _, kind := range served.Kinds("v1beta1") { // which has all that there are
		name := kind.Resource + "." + api.Group
		_, err := g.get(ctx, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"+name)
		if err == nil {
			return name, nil
		}
		if !apierrors.IsNotFound(err) {
			return "", fmt.Errorf("CustomResourceDefinition %s: %w", name, err)
		}
	}
	return "", nil
}

// apiService is what is to be known of one.
type apiService struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec *struct {
		Service *struct{} `json:"service"`
	} `json:"spec"`
}

func (a apiService) found() bool { return a.Spec != nil }

// local says that the API server serves the version itself.
func (a apiService) local() bool { return a.found() && a.Spec.Service == nil }

// definition says that it does so for a CustomResourceDefinition. For what is built in the label says onstart.
func (a apiService) definition() bool {
	return a.local() && a.Metadata.Labels["kube-aggregator.kubernetes.io/automanaged"] == "true"
}

func (g *Guard) service(ctx context.Context, version string) (apiService, error) {
	var a apiService
	name := version + "." + api.Group
	body, err := g.get(ctx, "/apis/apiregistration.k8s.io/v1/apiservices/"+name)
	if apierrors.IsNotFound(err) {
		return a, nil
	}
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	if err != nil {
		return a, fmt.Errorf("APIService %s: %w", name, err)
	}
	return a, nil
}
