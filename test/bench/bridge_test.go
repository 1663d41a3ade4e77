//go:build linux

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// target is a cluster whose claims are read and written in v1, with or without a bridge.
type target struct {
	name string
	// v1 sends requests in v1: to a cluster that serves v1, or through a bridge.
	v1 apiClient
	// direct sends requests to the cluster itself, in servedVersion.
	direct        apiClient
	servedVersion string
}

// BenchmarkBridge compares v1 through a bridge in the client, and through claimbridge proxy, with the built-in v1, over
// one connection.
func BenchmarkBridge(b *testing.B) {
	count := 5000
	if testing.Short() {
		count = 20
	}
	inTree, inProcess, proxy := startTargets(b)
	names := storeClaims(b, count, inTree, inProcess) // the proxy has the cluster of inProcess
	targets := []target{inTree, inProcess, proxy}
	for _, t := range targets {
		b.Run("what=get/by="+t.name, func(b *testing.B) {
			measureCalls(b, 1, func(i int) error {
				return t.v1.send(http.MethodGet, claimsPath("v1")+"/"+names[i%len(names)], nil, io.Discard)
			})
		})
	}
	for _, t := range targets {
		b.Run("what=put/by="+t.name, func(b *testing.B) {
			bodies := make([][]byte, b.N)
			for i := range bodies {
				bodies[i] = must.Get(t.changedClaim(names[i%len(names)]))(b)
			}
			measureCalls(b, 1, func(i int) error {
				return t.v1.send(http.MethodPut, claimsPath("v1")+"/"+names[i%len(names)], bodies[i], io.Discard)
			})
		})
	}
	for _, t := range targets {
		b.Run("what=list/by="+t.name, func(b *testing.B) {
			measureCalls(b, 1, func(int) error {
				return t.v1.send(http.MethodGet, claimsPath("v1"), nil, io.Discard)
			})
		})
	}
	for _, t := range targets {
		b.Run("what=event/by="+t.name, func(b *testing.B) { t.measureEvents(b, names[0]) })
	}
}

// startTargets starts a cluster that serves v1, and one that serves only v1beta1, which two bridges use.
func startTargets(b *testing.B) (inTree, inProcess, proxy target) {
	b.Helper()
	assets := must.Get(controlplane.Assets(b.Context()))(b)
	b.Setenv(controlplane.EnvAssets, assets)
	users := []plane.User{plane.Administrator}
	current := plane.New(b, plane.Options{Users: users})
	older := plane.New(b, plane.Options{
		Users:         users,
		RuntimeConfig: "resource.k8s.io/v1=false,resource.k8s.io/v1beta2=false,resource.k8s.io/v1beta1=true",
	})
	newClient := func(config *rest.Config) apiClient {
		config.DisableCompression = true
		return apiClient{must.Get(rest.HTTPClientFor(config))(b), config.Host}
	}

	currentClient := newClient(current.As(plane.Administrator.Name))
	inTree = target{name: "in-tree", v1: currentClient, direct: currentClient, servedVersion: "v1"}

	olderClient := newClient(older.As(plane.Administrator.Name))
	bridged := older.As(plane.Administrator.Name)
	bridged.Wrap(bridge.Transport(bridge.Options{}))
	inProcess = target{name: "in-process", v1: newClient(bridged), direct: olderClient, servedVersion: "v1beta1"}

	proxyClient := newClient(&rest.Config{Host: "http://" + startProxy(b, older)})
	proxy = target{name: "proxy", v1: proxyClient, direct: olderClient, servedVersion: "v1beta1"}
	return inTree, inProcess, proxy
}

// startProxy starts claimbridge proxy, and returns its address.
func startProxy(b *testing.B, p *plane.Plane) (address string) {
	b.Helper()
	kubeconfig := filepath.Join(b.TempDir(), "kubeconfig")
	write(b, kubeconfig, p.KubeconfigOf(b, plane.Administrator.Name, "default"))
	proxy := process.Start(b, exec.Command(programFile(b, claimbridge), "proxy", "--kubeconfig="+kubeconfig, "--port=0"))
	await.NoError(b, "claimbridge proxy", func() error {
		_, err := fmt.Sscanf(proxy.Log.String(), "Starting to serve on %s\n", &address)
		return err
	})
	return address
}

// storeClaims stores the same allocated claims in the clusters of targets, and returns their names.
func storeClaims(b *testing.B, count int, targets ...target) (names []string) {
	b.Helper()
	for i := range count {
		names = append(names, claimName(i))
	}
	var group errgroup.Group
	group.SetLimit(16)
	for _, t := range targets {
		path := claimsPath(t.servedVersion)
		for i, claim := range generateClaims(b, t.servedVersion, count, 2<<10) {
			body := withoutServerFields(b, claim)
			group.Go(func() error {
				if err := t.direct.send(http.MethodPost, path, body, io.Discard); err != nil {
					return err
				}
				return t.direct.send(http.MethodPut, path+"/"+names[i]+"/status", body, io.Discard)
			})
		}
	}
	must.Do(b, group.Wait())
	return names
}

// changedClaim reads a claim, and returns it with another annotation. The claim has no resource version, so that later
// writes do not cause conflicts.
func (t target) changedClaim(name string) ([]byte, error) {
	body, err := t.v1.get(claimsPath("v1") + "/" + name)
	if err != nil {
		return nil, err
	}
	var claim map[string]any
	if err := json.Unmarshal(body, &claim); err != nil {
		return nil, err
	}
	metadata := claim["metadata"].(map[string]any)
	delete(metadata, "resourceVersion")
	metadata["annotations"].(map[string]any)[writtenAnnotation] = timestamp()
	return json.Marshal(claim)
}

// watch watches all claims in v1, from the current resource version.
func (t target) watch(ctx context.Context) (io.ReadCloser, error) {
	body, err := t.direct.get(claimsPath(t.servedVersion) + "?limit=1")
	if err != nil {
		return nil, err
	}
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	url := t.v1.host + claimsPath("v1") + "?watch=true&resourceVersion=" + list.Metadata.ResourceVersion
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := t.v1.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("watch: %s", response.Status), response.Body.Close())
	}
	return response.Body, nil
}

// measureEvents measures the time from a write to the cluster until a watch of all claims in v1 receives its event.
func (t target) measureEvents(b *testing.B, name string) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	stream := must.Get(t.watch(ctx))(b)
	defer stream.Close()
	events := json.NewDecoder(stream)
	measureCalls(b, 1, func(int) error {
		value := timestamp()
		written := make(chan error, 1)
		go func() {
			path := claimsPath(t.servedVersion) + "/" + name
			written <- t.direct.send(http.MethodPatch, path, annotationPatch(value), io.Discard)
		}()
		var event struct {
			Object struct {
				APIVersion string
				Metadata   struct{ Annotations map[string]string }
			}
		}
		if err := errors.Join(events.Decode(&event), <-written); err != nil {
			return err
		}
		const wantAPIVersion = "resource.k8s.io/v1"
		got := event.Object
		if got.APIVersion != wantAPIVersion || got.Metadata.Annotations[writtenAnnotation] != value {
			return fmt.Errorf("got the event %+v, want apiVersion %s and annotation %s=%s", event, wantAPIVersion,
				writtenAnnotation, value)
		}
		return nil
	})
}
