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

// API has the methods of a typed client for a kind. C is the object, L the list, and A the apply configuration.
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

// Status has the methods of a typed client for the status.
type Status[C, A any] interface {
	UpdateStatus(context.Context, *C, metav1.UpdateOptions) (*C, error)
	ApplyStatus(context.Context, *A, metav1.ApplyOptions) (*C, error)
}

// kindsOf returns a function that connects the typed client of a version and returns its kinds. C is a claim and T a
// template. CL and TL are their lists, and CA and TA their apply configurations.
func kindsOf[C, CL, CA, T, TL, TA any, Claims interface {
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

// kind is a kind of a version.
type kind[C, L, A any] struct {
	API func(namespace string) API[C, L, A]
	// Status is nil for templates.
	Status func(namespace string) Status[C, A]
	// Extract returns the apply configuration of a manager.
	Extract func(*C, string) (*A, error)

	informer cache.SharedIndexInformer
}

func (k *kind[C, L, A]) do(ctx context.Context, op operation) (any, error) {
	api := k.API(op.Namespace)
	apply := metav1.ApplyOptions{FieldManager: op.Manager}
	switch op.Do {
	case "create":
		object, err := decode[C](op.Object)
		if err != nil {
			return nil, err
		}
		return api.Create(ctx, object, metav1.CreateOptions{})
	case "get":
		return api.Get(ctx, op.Name, metav1.GetOptions{})
	case "list":
		return api.List(ctx, metav1.ListOptions{})
	case "update":
		return k.update(ctx, op, api.Update)
	case "updateStatus":
		return k.update(ctx, op, k.Status(op.Namespace).UpdateStatus)
	case "patch":
		return api.Patch(ctx, op.Name, types.PatchType(op.PatchType), op.Patch, metav1.PatchOptions{})
	case "patchStatus":
		return api.Patch(ctx, op.Name, types.PatchType(op.PatchType), op.Patch, metav1.PatchOptions{}, "status")
	case "apply", "applyStatus":
		object, err := decode[A](op.Object)
		if err != nil {
			return nil, err
		}
		if op.Do == "apply" {
			return api.Apply(ctx, object, apply)
		}
		return k.Status(op.Namespace).ApplyStatus(ctx, object, apply)
	case "extract": // and apply with a change
		object, err := api.Get(ctx, op.Name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		config, err := k.Extract(object, op.Manager)
		if err != nil {
			return nil, err
		}
		if err := op.applyTo(config); err != nil {
			return nil, err
		}
		return api.Apply(ctx, config, apply)
	case "delete":
		return nil, api.Delete(ctx, op.Name, metav1.DeleteOptions{})
	case "watch":
		return nil, k.watch(op.Namespace)
	case "getCached":
		return k.getCached(op)
	}
	return nil, fmt.Errorf("unknown operation %q", op.Do)
}

// update gets an object, changes it, and writes it back, as controllers do. It retries on conflicts.
func (k *kind[C, L, A]) update(ctx context.Context, op operation,
	write func(context.Context, *C, metav1.UpdateOptions) (*C, error),
) (written *C, err error) {
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		object, err := k.API(op.Namespace).Get(ctx, op.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if err := op.applyTo(object); err != nil {
			return err
		}
		written, err = write(ctx, object, metav1.UpdateOptions{})
		return err
	})
	return written, err
}

func decode[T any](data []byte) (*T, error) {
	object := new(T)
	return object, json.Unmarshal(data, object)
}
