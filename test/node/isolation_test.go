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

// TestClustersAreIsolated checks that two clusters run at the same time, and that the machine is unchanged afterwards.
func TestClustersAreIsolated(t *testing.T) {
	SkipIfUnsupported(t)
	before := kernelSettings(t)
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
			t.Cleanup(func() { _ = c.Stop() }) // if the test fails earlier
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	first, second := clusters[0], clusters[1]
	if first.node.Name == second.node.Name || first.node.Pods.Overlaps(second.node.Pods) ||
		first.node.Services.Overlaps(second.node.Services) {
		t.Errorf("the nodes share a name or a network: %+v, %+v", first.node, second.node)
	}
	for _, c := range clusters {
		expectObjects(t, c.node)
		nodes, err := c.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if err != nil || len(nodes.Items) != 1 ||
			nodes.Items[0].Status.Addresses[0].Address != c.node.Address.Addr().String() {
			t.Errorf("nodes: got %v, %v, want one with the address %s", nodes.Items, err, c.node.Address.Addr())
		}
	}
	config := first.Config()
	config.Host, config.CAData, config.Insecure = second.apiServerURL(), nil, true
	if client, err := kubernetes.NewForConfig(config); err != nil {
		t.Error(err)
	} else if _, err := client.CoreV1().Nodes().List(t.Context(),
		metav1.ListOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("an admin of one cluster in the other cluster: got %v, want Unauthorized", err)
	}
	// Errors name a program that exits unexpectedly.
	if err := first.startPrograms("false")(t.Context()); err != nil {
		t.Error(err)
	}
	never := func(context.Context) error { return errors.New("not yet") }
	if err := first.waitFor(t.Context(), "false", "the condition is false", never); err == nil ||
		!strings.Contains(err.Error(), "false has exited") {
		t.Errorf("got %v, want the exit of the program false", err)
	}
	err = first.Wait(t.Context())
	if err == nil || !strings.Contains(err.Error(), "false has exited: exit status 1") ||
		!strings.Contains(err.Error(), first.logFile("false")) {
		t.Errorf("got %v, want the exit of the program false, and its log", err)
	}
	logs := must.Get(first.KeepLogs())(t)
	defer func() { _ = os.RemoveAll(logs) }()
	if log, err := os.ReadFile(filepath.Join(logs, "kube-scheduler.log")); err != nil || len(log) == 0 {
		t.Errorf("kept log of kube-scheduler: got %q, %v, want content", log, err)
	}
	for _, c := range clusters {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
		expectNoObjects(t, c.node)
	}
	after := kernelSettings(t)
	for name, value := range before {
		if got, ok := after[name]; ok && got != value {
			t.Errorf("%s: got %q, want %q as before", name, got, value)
		}
	}
}
