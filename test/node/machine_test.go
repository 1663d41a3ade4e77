//go:build node && linux

package node

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Two clusters run at the same time with the same content, and the machine is unchanged afterwards.
func TestClustersBesideEachOtherLeaveTheMachineAlone(t *testing.T) {
	Needed(t)
	before := settings(t)
	var clusters [2]*Cluster
	var starts errgroup.Group
	for i := range clusters {
		starts.Go(func() (err error) {
			clusters[i], err = Start(t.Context(), Options{Log: t.Output()})
			return err
		})
	}
	err := starts.Wait()
	for _, c := range clusters {
		if c != nil {
			t.Cleanup(func() { _ = c.Stop() }) // when the test ends before
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	one, other := clusters[0], clusters[1]
	if one.node.Name == other.node.Name || one.node.Pods.Overlaps(other.node.Pods) ||
		one.node.Services.Overlaps(other.node.Services) {
		t.Errorf("they share a place: %+v, %+v", one.node, other.node)
	}
	for _, c := range clusters {
		wantTraces(t, c.node)
		nodes, err := c.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if err != nil || len(nodes.Items) != 1 ||
			nodes.Items[0].Status.Addresses[0].Address != c.node.Address.Addr().String() {
			t.Errorf("nodes %v, %v", nodes.Items, err)
		}
	}
	stranger := one.Config()
	stranger.Host, stranger.CAData, stranger.Insecure = other.server(), nil, true
	if client, err := kubernetes.NewForConfig(stranger); err != nil {
		t.Error(err)
	} else if _, err := client.CoreV1().Nodes().List(t.Context(),
		metav1.ListOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("who may do all in one cluster is known in the other one: %v", err)
	}
	// A program that ends is noticed at once, and by its name.
	if err := one.run("false")(t.Context()); err != nil {
		t.Error(err)
	}
	never := func(context.Context) error { return errors.New("not yet") }
	if err := one.until(t.Context(), "false", "it does nothing", never); err == nil ||
		!strings.Contains(err.Error(), "false has ended") {
		t.Errorf("want the end of a program, got %v", err)
	}
	if err := one.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "false has ended: exit status 1") ||
		!strings.Contains(err.Error(), one.logFile("false")) {
		t.Errorf("want the program that ended, and its log, got %v", err)
	}
	kept := must.Get(one.KeepLogs())(t)
	defer func() { _ = os.RemoveAll(kept) }()
	if log, err := os.ReadFile(filepath.Join(kept, "kube-scheduler.log")); err != nil || len(log) == 0 {
		t.Errorf("a log that is kept: %q, %v", log, err)
	}
	for _, c := range clusters {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
		wantNone(t, c.node)
	}
	after := settings(t)
	for name, value := range before {
		if now, ok := after[name]; ok && now != value {
			t.Errorf("%s was %q and is %q", name, value, now)
		}
	}
}
