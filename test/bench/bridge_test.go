//go:build linux

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// way to claims of v1: of a cluster that serves them, or by a bridge to one that serves v1beta1
// alone. What is stored and who writes is asked of the cluster directly, in the version that it
// serves.
type way struct {
	name           string
	client, direct *http.Client
	url, host      string
	served         string
}

// BenchmarkBridge compares v1 through a bridge in the client, and through claimbridge proxy, with the built-in v1, over
// one connection.
func BenchmarkBridge(b *testing.B) {
	stored := 5000
	if testing.Short() {
		stored = 20
	}
	ways := ways(b)
	names := store(b, ways[:2], stored)
	for _, what := range []struct {
		name, method, rest string
		body               func(w way, name string) ([]byte, error)
	}{
		{"get", http.MethodGet, "/", nil},
		{"put", http.MethodPut, "/", changed},
		{"list", http.MethodGet, "", nil},
	} {
		for _, w := range ways {
			b.Run("what="+what.name+"/by="+w.name, func(b *testing.B) {
				bodies := make([][]byte, b.N)
				for i := range bodies {
					if what.body != nil {
						var err error
						if bodies[i], err = what.body(w, names[i%len(names)]); err != nil {
							b.Fatal(err)
						}
					}
				}
				load(b, 1, func(i int) error {
					path := claimsPath("v1") + what.rest
					if what.rest != "" {
						path += names[i%len(names)]
					}
					return send(w.client, what.method, w.url+path, bodies[i], io.Discard)
				})
			})
		}
	}
	for _, w := range ways {
		b.Run("what=event/by="+w.name, func(b *testing.B) { w.events(b, names[0]) })
	}
}

// ways to two clusters, and one of a proxy to the second.
func ways(b *testing.B) []way {
	b.Helper()
	assets := must.Get(controlplane.Assets(b.Context()))(b)
	b.Setenv(controlplane.EnvAssets, assets)
	users := []plane.User{plane.Administrator}
	inTree := plane.New(b, plane.Options{Users: users})
	older := plane.New(b, plane.Options{
		Users:         users,
		RuntimeConfig: "resource.k8s.io/v1=false,resource.k8s.io/v1beta2=false,resource.k8s.io/v1beta1=true",
	})
	kubeconfig := filepath.Join(b.TempDir(), "kubeconfig")
	write(b, kubeconfig, older.KubeconfigOf(b, plane.Administrator.Name, "default"))
	proxy := process.Start(b, exec.Command(program(b, ours), "proxy", "--kubeconfig="+kubeconfig, "--port=0"))
	var address string
	await.NoError(b, "claimbridge proxy", func() error {
		_, err := fmt.Sscanf(proxy.Log.String(), "Starting to serve on %s\n", &address)
		return err
	})
	client := func(config *rest.Config) *http.Client {
		config.DisableCompression = true
		return must.Get(rest.HTTPClientFor(config))(b)
	}
	direct := func(p *plane.Plane) *http.Client { return client(p.As(plane.Administrator.Name)) }
	bridged := older.As(plane.Administrator.Name)
	bridged.Wrap(bridge.Transport(bridge.Options{}))
	return []way{
		{"in-tree", direct(inTree), direct(inTree), inTree.Config.Host, inTree.Config.Host, "v1"},
		{"in-process", client(bridged), direct(older), older.Config.Host, older.Config.Host, "v1beta1"},
		{
			"proxy",
			client(&rest.Config{Host: "http://" + address}),
			direct(older),
			"http://" + address,
			older.Config.Host,
			"v1beta1",
		},
	}
}

func claimsPath(version string) string {
	return "/apis/resource.k8s.io/" + version + "/namespaces/default/resourceclaims"
}

// send a request to a cluster or a bridge, and its answer somewhere.
func send(client *http.Client, method, url string, body []byte, to io.Writer) error {
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, err := io.ReadAll(io.LimitReader(response.Body, 300))
		return errors.Join(fmt.Errorf("%s %s: %s %s", method, url, response.Status, text), err)
	}
	_, err = io.Copy(to, response.Body)
	return err
}

// ask for something, or write it.
func ask(client *http.Client, method, url string, body []byte) ([]byte, error) {
	var answer bytes.Buffer
	err := send(client, method, url, body, &answer)
	return answer.Bytes(), err
}

// store the same allocated claims in both clusters, and give their names.
func store(b *testing.B, ways []way, n int) (names []string) {
	b.Helper()
	var group errgroup.Group
	group.SetLimit(16)
	for _, w := range ways {
		names = nil
		for i, claim := range claimsOf(b, w.served, n, 2<<10) {
			name := fmt.Sprintf("trainer-%d-gpu", i)
			names = append(names, name)
			body := withoutServerFields(b, claim)
			group.Go(func() error {
				if err := send(w.direct, http.MethodPost, w.host+claimsPath(w.served), body, io.Discard); err != nil {
					return err
				}
				return send(w.direct, http.MethodPut, w.host+claimsPath(w.served)+"/"+name+"/status", body, io.Discard)
			})
		}
	}
	must.Do(b, group.Wait())
	return names
}

// changed is a claim with another annotation. It has no resource version, so that it may be written
// when others have written.
func changed(w way, name string) ([]byte, error) {
	answer, err := ask(w.client, http.MethodGet, w.url+claimsPath("v1")+"/"+name, nil)
	if err != nil {
		return nil, err
	}
	var claim map[string]any
	if err := json.Unmarshal(answer, &claim); err != nil {
		return nil, err
	}
	meta := claim["metadata"].(map[string]any)
	delete(meta, "resourceVersion")
	meta["annotations"].(map[string]any)["example.com/written"] = now()
	return json.Marshal(claim)
}

func now() string { return fmt.Sprint(time.Now().UnixNano()) }

// annotate a claim in the cluster itself.
func (w way) annotate(name, value string) error {
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"example.com/written":%q}}}`, value)
	return send(w.direct, http.MethodPatch, w.host+claimsPath(w.served)+"/"+name, patch, io.Discard)
}

// watch all claims in v1, from now on.
func (w way) watch(ctx context.Context) (io.ReadCloser, error) {
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	answer, err := ask(w.direct, http.MethodGet, w.host+claimsPath(w.served)+"?limit=1", nil)
	if err == nil {
		err = json.Unmarshal(answer, &list)
	}
	if err != nil {
		return nil, err
	}
	url := w.url + claimsPath("v1") + "?watch=true&resourceVersion=" + list.Metadata.ResourceVersion
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := w.client.Do(request)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.Join(fmt.Errorf("watch: %s", response.Status), response.Body.Close())
	}
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

// events are from sending a write to the cluster until a watch of all claims has it.
func (w way) events(b *testing.B, name string) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	watch := must.Get(w.watch(ctx))(b)
	defer watch.Close()
	in := json.NewDecoder(watch)
	load(b, 1, func(int) error {
		value, wrote := now(), make(chan error, 1)
		go func() { wrote <- w.annotate(name, value) }()
		var event struct {
			Object struct {
				APIVersion string
				Metadata   struct{ Annotations map[string]string }
			}
		}
		err := errors.Join(in.Decode(&event), <-wrote)
		got := event.Object
		if err == nil && (got.Metadata.Annotations["example.com/written"] != value ||
			got.APIVersion != "resource.k8s.io/v1") {
			err = fmt.Errorf("the event of a write is %+v", event)
		}
		return err
	})
}
