package main

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

// API is what a typed client of a release has for a kind: C is the object, L the list, A the apply configuration.
type API[C, L, A any] interface {
	Create(context.Context, *C, metav1.CreateOptions) (*C, error)
	Update(context.Context, *C, metav1.UpdateOptions) (*C, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
	Get(context.Context, string, metav1.GetOptions) (*C, error)
	List(context.Context, metav1.ListOptions) (*L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, o metav1.PatchOptions,
		subresources ...string) (*C, error)
	Apply(context.Context, *A, metav1.ApplyOptions) (*C, error)
}

// Status is what it has for the status beside.
type Status[C, A any] interface {
	UpdateStatus(context.Context, *C, metav1.UpdateOptions) (*C, error)
	ApplyStatus(context.Context, *A, metav1.ApplyOptions) (*C, error)
}

// of a version: what its typed client has for claims and for templates, and what a manager applied
// to them. C is a claim and T a template; L and A behind them are the list and the apply
// configuration.
func of[C, CL, CA, T, TL, TA any, Claims interface {
	API[C, CL, CA]
	Status[C, CA]
}, Templates API[T, TL, TA], Client interface {
	ResourceClaims(namespace string) Claims
	ResourceClaimTemplates(namespace string) Templates
}](connect func(*rest.Config) (Client, error), extractClaim func(*C, string) (*CA, error),
	extractTemplate func(*T, string) (*TA, error),
) func(*rest.Config) (kinds, error) {
	return func(config *rest.Config) (kinds, error) {
		c, err := connect(config)
		return kinds{
			"ResourceClaim": &kind[C, CL, CA]{
				API:     func(namespace string) API[C, CL, CA] { return c.ResourceClaims(namespace) },
				Status:  func(namespace string) Status[C, CA] { return c.ResourceClaims(namespace) },
				Extract: extractClaim,
			},
			"ResourceClaimTemplate": &kind[T, TL, TA]{
				API:     func(namespace string) API[T, TL, TA] { return c.ResourceClaimTemplates(namespace) },
				Extract: extractTemplate,
			},
		}, err
	}
}

// kind of a version.
type kind[C, L, A any] struct {
	API func(namespace string) API[C, L, A]
	// Status is nil for templates.
	Status func(namespace string) Status[C, A]
	// Extract what a manager applied.
	Extract func(*C, string) (*A, error)

	informer cache.SharedIndexInformer
}

func (k *kind[C, L, A]) do(ctx context.Context, q question) (any, error) {
	api := k.API(q.Namespace)
	apply := metav1.ApplyOptions{FieldManager: q.Manager}
	switch q.Do {
	case "create":
		object, err := decoded[C](q.Object)
		if err != nil {
			return nil, err
		}
		return api.Create(ctx, object, metav1.CreateOptions{})
	case "get":
		return api.Get(ctx, q.Name, metav1.GetOptions{})
	case "list":
		return api.List(ctx, metav1.ListOptions{})
	case "update":
		return k.update(ctx, q, api.Update)
	case "updateStatus":
		return k.update(ctx, q, k.Status(q.Namespace).UpdateStatus)
	case "patch":
		return api.Patch(ctx, q.Name, types.PatchType(q.PatchType), q.Patch, metav1.PatchOptions{})
	case "patchStatus":
		return api.Patch(ctx, q.Name, types.PatchType(q.PatchType), q.Patch, metav1.PatchOptions{}, "status")
	case "apply", "applyStatus":
		object, err := decoded[A](q.Object)
		if err != nil {
			return nil, err
		}
		if q.Do == "apply" {
			return api.Apply(ctx, object, apply)
		}
		return k.Status(q.Namespace).ApplyStatus(ctx, object, apply)
	case "extract": // and apply again, with a change
		object, err := api.Get(ctx, q.Name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		applied, err := k.Extract(object, q.Manager)
		if err != nil {
			return nil, err
		}
		if err := q.change(applied); err != nil {
			return nil, err
		}
		return api.Apply(ctx, applied, apply)
	case "delete":
		return nil, api.Delete(ctx, q.Name, metav1.DeleteOptions{})
	case "watch":
		return nil, k.watch(q.Namespace)
	case "seen":
		return k.seen(q)
	}
	return nil, fmt.Errorf("unknown operation %q", q.Do)
}

// update what is there, as controllers do: the whole typed object goes back, again and again while others were faster.
func (k *kind[C, L, A]) update(ctx context.Context, q question,
	write func(context.Context, *C, metav1.UpdateOptions) (*C, error),
) (written *C, err error) {
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		object, err := k.API(q.Namespace).Get(ctx, q.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if err := q.change(object); err != nil {
			return err
		}
		written, err = write(ctx, object, metav1.UpdateOptions{})
		return err
	})
	return written, err
}

func decoded[T any](data []byte) (*T, error) {
	object := new(T)
	return object, json.Unmarshal(data, object)
}
