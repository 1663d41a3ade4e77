package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// informerTimeout is the time limit for an informer to see a write.
const informerTimeout = 20 * time.Second

// watch starts an informer for a namespace, as controllers do.
func (k *kind[C, L, A]) watch(namespace string) error {
	api := k.API(namespace)
	object, _ := any(new(C)).(runtime.Object)
	k.informer = cache.NewSharedIndexInformer(&cache.ListWatch{
		ListFunc: func(o metav1.ListOptions) (runtime.Object, error) {
			list, err := api.List(context.Background(), o)
			return any(list).(runtime.Object), err
		},
		WatchFunc: func(o metav1.ListOptions) (watch.Interface, error) { return api.Watch(context.Background(), o) },
	}, object, 0, nil)
	stop := make(chan struct{})
	go k.informer.Run(stop) // as long as the program runs
	timeout := time.AfterFunc(informerTimeout, func() { close(stop) })
	defer timeout.Stop()
	if !cache.WaitForCacheSync(stop, k.informer.HasSynced) {
		return errors.New("timed out waiting for the cache of the informer")
	}
	return nil
}

// getCached waits until the object in the cache of the informer has a resourceVersion, and returns it. If the
// resourceVersion is empty, it waits until the object is deleted.
func (k *kind[C, L, A]) getCached(op operation) (any, error) {
	for started := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		object, exists, err := k.informer.GetStore().GetByKey(op.Namespace + "/" + op.Name)
		if err != nil {
			return nil, err
		}
		version := ""
		if exists {
			accessor, err := meta.Accessor(object)
			if err != nil {
				return nil, err
			}
			version = accessor.GetResourceVersion()
		}
		if version == op.ResourceVersion {
			return object, nil
		}
		if time.Since(started) > informerTimeout {
			return nil, fmt.Errorf("%s/%s has resource version %q in the cache of the informer, want %q", op.Namespace, op.Name,
				version, op.ResourceVersion)
		}
	}
}
