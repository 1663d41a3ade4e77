package preflight

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
)

const (
	// requestTimeout when the configuration of the client has none: an API server that needs longer
	// for one object is in trouble itself, but a person at a terminal should hear of it.
	requestTimeout = 10 * time.Second
	// longTimeout for a request that waits for webhooks: an API server gives itself 60 s for it,
	// and then says what it waited for.
	longTimeout = 65 * time.Second
)

// fieldManager of dry runs, which own nothing.
const fieldManager = "claimbridge-preflight"

// cluster is an API server, and the clients that ask it.
type cluster struct {
	host      string
	discovery discovery.ServerVersionInterface
	objects   dynamic.Interface
	// patient clients wait for webhooks.
	patient  dynamic.Interface
	metadata metadata.Interface
}

func newCluster(config *rest.Config) (*cluster, error) {
	config = rest.CopyConfig(config)
	asked := config.Timeout
	config.WarningHandler = rest.NoWarnings{} // older versions are deprecated, which is no news
	config.QPS = -1                           // requests come one after the other, mostly
	config.Timeout = cmp.Or(asked, requestTimeout)
	c := &cluster{host: config.Host}
	var errs [4]error
	c.discovery, errs[0] = discovery.NewDiscoveryClientForConfig(config)
	c.objects, errs[1] = dynamic.NewForConfig(config)
	config.Timeout = cmp.Or(asked, longTimeout)
	c.patient, errs[2] = dynamic.NewForConfig(config)
	c.metadata, errs[3] = metadata.NewForConfig(config)
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, fmt.Errorf("make a client for the API server: %w", err)
	}
	return c, nil
}

// answers reports whether there is an API server at all. One that does is asked for everything, whatever it refuses.
func (c *cluster) answers() error {
	_, err := c.discovery.ServerVersion()
	if _, answered := status(err); err == nil || answered && !apierrors.IsUnauthorized(err) {
		return nil
	}
	return fmt.Errorf("the API server at %s cannot be asked; look at --kubeconfig and --context: %w", c.host, err)
}

// get an object. It is nil when there is none.
func get[T any](ctx context.Context, c *cluster, r resource, namespace, name string) (*T, error) {
	found, err := c.objects.Resource(r.GroupVersionResource).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return as[T](found)
}

// list objects by a label selector, or all.
func list[T any](ctx context.Context, c *cluster, r resource, namespace, selector string) (all []T, err error) {
	options := metav1.ListOptions{LabelSelector: selector}
	found, err := c.objects.Resource(r.GroupVersionResource).Namespace(namespace).List(ctx, options)
	if err != nil {
		return nil, err
	}
	for i := range found.Items {
		object, err := as[T](&found.Items[i])
		if err != nil {
			return nil, err
		}
		all = append(all, *object)
	}
	return all, nil
}

func as[T any](object *unstructured.Unstructured) (*T, error) {
	typed := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
		return nil, fmt.Errorf("decode the answer of the API server: %w", err)
	}
	return typed, nil
}

// settling is how often a write is tried once more, a second apart, when nobody listened where the
// API server called: in the first seconds after pods became ready their nodes' networks may not
// know all of them.
const settling = 3

// create an object as a dry run: the API server does all that it would do, and keeps nothing.
func (c *cluster) create(ctx context.Context, r resource, namespace string,
	object map[string]any,
) (answer *unstructured.Unstructured, err error) {
	options := metav1.CreateOptions{
		DryRun:          []string{metav1.DryRunAll},
		FieldValidation: metav1.FieldValidationStrict,
		FieldManager:    fieldManager,
	}
	unheard := func(err error) bool {
		return apierrors.IsInternalError(err) && strings.Contains(err.Error(), "connection refused")
	}
	err = retry.OnError(wait.Backoff{Duration: time.Second, Factor: 1, Steps: 1 + settling}, unheard, func() error {
		answer, err = c.patient.Resource(r.GroupVersionResource).Namespace(namespace).Create(ctx,
			&unstructured.Unstructured{Object: object}, options)
		return err
	})
	return answer, err
}
