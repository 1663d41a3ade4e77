package preflight

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/config"
)

// appName is the name of the Service, the Deployment and the webhook configurations of an installation.
const appName = "claimbridge"

// connectTimeout is the time that the first response of the API server may take.
const connectTimeout = 10 * time.Second

// ErrNoGroup means that Options.Group is required, because the group cannot be determined from the cluster.
var ErrNoGroup = errors.New("cannot determine the API group of the claims")

// cluster is an API server with the options of a run. Objects are read once, so that all checks see the same.
type cluster struct {
	Options
	objects  dynamic.Interface
	metadata metadata.Interface
	reads    map[string]cachedRead
}

// cachedRead is the result of a read of an API server.
type cachedRead struct {
	items []unstructured.Unstructured
	err   error
}

// connect returns the cluster of a client that can be reached, with the group of the claims.
func connect(ctx context.Context, client *rest.Config, o Options) (*cluster, error) {
	client = rest.CopyConfig(client)
	client.WarningHandler = rest.NoWarnings{} // API servers warn that older versions are deprecated
	client.QPS = -1
	server, err1 := discovery.NewDiscoveryClientForConfig(client)
	objects, err2 := dynamic.NewForConfig(client)
	metadataOnly, err3 := metadata.NewForConfig(client)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("create a client for the API server: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	err := server.RESTClient().Get().AbsPath("/version").Do(ctx).Error()
	if err != nil && (!isAPIError(err) || apierrors.IsUnauthorized(err)) {
		return nil, fmt.Errorf("cannot reach the API server at %s: check the kubeconfig and its context: %w",
			client.Host, err)
	}
	c := &cluster{Options: o, objects: objects, metadata: metadataOnly, reads: map[string]cachedRead{}}
	if c.Group == "" {
		if c.Group, err = c.servedGroup(ctx); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// isAPIError reports whether an error is the response of an API server.
func isAPIError(err error) bool {
	_, ok := errors.AsType[*apierrors.StatusError](err)
	return ok
}

// servedGroup returns the group that the Deployment of the installation serves, by its flags.
func (c *cluster) servedGroup(ctx context.Context) (string, error) {
	deployment, err := c.deployment(ctx)
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrNoGroup, oneLine(err.Error()))
	}
	if deployment == nil {
		return "", fmt.Errorf("%w: Deployment %s in namespace %s does not exist",
			ErrNoGroup, appName, c.Namespace)
	}
	groups := strings.Join(flagValues(deployment, "group"), ", ")
	if strings.ContainsAny(groups, ",*") {
		return "", fmt.Errorf("%w: the server in namespace %s serves %s", ErrNoGroup, c.Namespace, groups)
	}
	return cmp.Or(groups, config.DefaultGroup), nil
}

func (c *cluster) deployment(ctx context.Context) (*appsv1.Deployment, error) {
	return get[appsv1.Deployment](ctx, c, deployments, c.Namespace, appName)
}

// flagValues returns the values of a flag on the command lines of a Deployment's containers.
func flagValues(deployment *appsv1.Deployment, flag string) (values []string) {
	for _, container := range deployment.Spec.Template.Spec.Containers {
		for _, arg := range slices.Concat(container.Command, container.Args) {
			if value, ok := strings.CutPrefix(arg, "--"+flag+"="); ok {
				values = append(values, value)
			}
		}
	}
	return values
}

// resource of an API server.
type resource struct {
	schema.GroupVersionResource
	kind string
}

var (
	apiServices     = newV1Resource("apiregistration.k8s.io", "apiservices", "APIService")
	customResources = newV1Resource("apiextensions.k8s.io", "customresourcedefinitions",
		"CustomResourceDefinition")
	validatingConfigurations = newV1Resource("admissionregistration.k8s.io", "validatingwebhookconfigurations",
		"ValidatingWebhookConfiguration")
	mutatingConfigurations = newV1Resource("admissionregistration.k8s.io", "mutatingwebhookconfigurations",
		"MutatingWebhookConfiguration")
	services       = newV1Resource("", "services", "Service")
	endpointSlices = newV1Resource("discovery.k8s.io", "endpointslices", "EndpointSlice")
	deployments    = newV1Resource("apps", "deployments", "Deployment")
	secrets        = newV1Resource("", "secrets", "Secret")
)

func newV1Resource(group, plural, kind string) resource {
	return resource{schema.GroupVersionResource{Group: group, Version: "v1", Resource: plural}, kind}
}

// describe returns how reasons name an object.
func (r resource) describe(namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return strings.TrimSpace(r.kind + " " + name)
}

// get returns an object, or nil if it does not exist.
func get[T any](ctx context.Context, c *cluster, r resource, namespace, name string) (*T, error) {
	object := r.describe(namespace, name)
	all, err := read[T](c, "get "+object, object, func() ([]unstructured.Unstructured, error) {
		found, err := c.objects.Resource(r.GroupVersionResource).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return []unstructured.Unstructured{*found}, nil
	})
	if len(all) == 0 {
		return nil, err
	}
	return &all[0], err
}

// list returns the objects of a namespace, or of the cluster, that a label selector selects.
func list[T any](ctx context.Context, c *cluster, r resource, namespace, selector string) ([]T, error) {
	objects := r.describe(namespace, selector)
	return read[T](c, "list "+objects, objects, func() ([]unstructured.Unstructured, error) {
		options := metav1.ListOptions{LabelSelector: selector}
		found, err := c.objects.Resource(r.GroupVersionResource).Namespace(namespace).List(ctx, options)
		if err != nil {
			return nil, err
		}
		return found.Items, nil
	})
}

// read returns the result of the first request with the key. Errors name the object.
func read[T any](
	c *cluster, key, object string, request func() ([]unstructured.Unstructured, error),
) ([]T, error) {
	known, ok := c.reads[key]
	if !ok {
		known.items, known.err = request()
		c.reads[key] = known
	}
	if known.err != nil {
		return nil, unknown("%s cannot be read: %w", object, known.err)
	}
	all := make([]T, len(known.items))
	for i := range all {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(known.items[i].Object, &all[i]); err != nil {
			return nil, unknown("%s cannot be decoded: %w", object, err)
		}
	}
	return all, nil
}
