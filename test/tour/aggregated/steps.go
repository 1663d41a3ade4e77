package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// tourist does what clients do, and prints what they see.
type tourist struct {
	ctx     context.Context //nolint:containedctx // of the whole tour
	out     io.Writer
	cluster *plane.Plane
}

// versions of the group, as every client can ask for them.
func (t *tourist) versions() error {
	client, err := discovery.NewDiscoveryClientForConfig(t.cluster.Config)
	if err != nil {
		return err
	}
	groups, err := client.ServerGroups()
	if err != nil {
		return err
	}
	for _, group := range groups.Groups {
		if group.Name == "resource.k8s.io" {
			var names []string
			for _, v := range group.Versions {
				names = append(names, v.Version)
			}
			fmt.Fprintf(t.out, "It serves resource.k8s.io in %s, and prefers %s.\n", strings.Join(names, ", "), group.PreferredVersion.Version)
			return nil
		}
	}
	return errors.New("the API server does not serve resource.k8s.io")
}

// in a version, the claims of a namespace.
func (t *tourist) in(version string) (dynamic.ResourceInterface, error) {
	client, err := dynamic.NewForConfig(t.cluster.Config)
	if err != nil {
		return nil, err
	}
	resource := schema.GroupVersionResource{Group: "resource.k8s.io", Version: version, Resource: "resourceclaims"}
	return client.Resource(resource).Namespace("default"), nil
}

// refused is what a client of the old version gets from a cluster of today.
func (t *tourist) refused() error {
	claims, err := t.in(version)
	if err != nil {
		return err
	}
	_, err = claims.List(t.ctx, metav1.ListOptions{})
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("a list in %s: %w", version, err)
	}
	fmt.Fprintf(t.out, "A client of Kubernetes 1.32 lists claims in %s: %v.\n", version, err)
	return nil
}

// patience with an event.
const patience = 30 * time.Second

const claim = `apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: training
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.example.com
`

// claims are created, listed, watched and updated by the client of the old version, under the eyes of one of today.
func (t *tourist) claims() error {
	old, err := t.in(version)
	if err != nil {
		return err
	}
	today, err := t.in("v1")
	if err != nil {
		return err
	}
	all, err := old.List(t.ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	events, err := old.Watch(t.ctx, metav1.ListOptions{ResourceVersion: all.GetResourceVersion()})
	if err != nil {
		return err
	}
	defer events.Stop()
	say(t.out, "The client of 1.32 lists claims in v1beta1 ("+fmt.Sprint(len(all.Items))+"), watches them from there on, and creates one")

	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(claim), &o.Object); err != nil {
		return err
	}
	created, err := old.Create(t.ctx, o, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	t.show("What it gets back", created)
	seen, err := today.Get(t.ctx, "training", metav1.GetOptions{})
	if err != nil {
		return err
	}
	t.show("The same claim for a client of today, in v1, at once", seen)

	say(t.out, "The client of 1.32 updates it: a label")
	created.SetLabels(map[string]string{"team": "vision"})
	if _, err := old.Update(t.ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if seen, err = today.Get(t.ctx, "training", metav1.GetOptions{}); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "v1 has the labels %v, written by %s.\n", seen.GetLabels(), managers(seen))
	say(t.out, "And the client of today writes its status, in v1")
	if err := unstructured.SetNestedMap(seen.Object, map[string]any{}, "status", "allocation"); err != nil {
		return err
	}
	if _, err := today.UpdateStatus(t.ctx, seen, metav1.UpdateOptions{}); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "The watch of the client of 1.32 has meanwhile told, in v1beta1:")
	for range 3 {
		select {
		case event := <-events.ResultChan():
			if event.Object == nil {
				return errors.New("the watch ended")
			}
			object, _ := event.Object.(*unstructured.Unstructured)
			_, allocated, _ := unstructured.NestedMap(object.Object, "status", "allocation")
			fmt.Fprintf(t.out, "  %-8s %s %s, labels %v, allocated %t\n", event.Type, object.GetAPIVersion(), object.GetName(), object.GetLabels(), allocated)
		case <-time.After(patience):
			return errors.New("the watch does not tell of what was written")
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
	return nil
}

// show an object without what says who wrote which field.
func (t *tourist) show(title string, o *unstructured.Unstructured) {
	o = o.DeepCopy()
	o.SetManagedFields(nil)
	data, err := json.Marshal(o.Object)
	if err == nil {
		data, err = yaml.JSONToYAML(data)
	}
	if err != nil {
		data = []byte(err.Error())
	}
	fmt.Fprintf(t.out, "\n%s:\n\n  %s\n", title, strings.TrimSpace(strings.ReplaceAll(string(data), "\n", "\n  ")))
}

func managers(o *unstructured.Unstructured) string {
	var all []string
	for _, entry := range o.GetManagedFields() {
		all = append(all, entry.Manager)
	}
	return strings.Join(all, ", ")
}

func say(out io.Writer, title string) {
	fmt.Fprintf(out, "\n%s\n%s\n", title, strings.Repeat("-", len(title)))
}
