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

// patience with a watch while others write.
const patience = 20 * time.Second

// watch a namespace from now on, as the informers of a controller do.
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
	timeout := time.AfterFunc(patience, func() { close(stop) })
	defer timeout.Stop()
	if !cache.WaitForCacheSync(stop, k.informer.HasSynced) {
		return errors.New("the informer does not come up")
	}
	return nil
}

// seen waits until the object of the informer has a resourceVersion, and returns it. "" waits until it is deleted.
func (k *kind[C, L, A]) seen(q question) (any, error) {
	for started := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		object, exists, err := k.informer.GetStore().GetByKey(q.Namespace + "/" + q.Name)
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
		if version == q.ResourceVersion {
			return object, nil
		}
		if time.Since(started) > patience {
			return nil, fmt.Errorf("%s/%s is of resource version %q for the informer, not %q", q.Namespace, q.Name,
				version, q.ResourceVersion)
		}
	}
}
