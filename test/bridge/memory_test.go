//go:build e2e

package bridge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

const (
	watchCount = 1000
	// eventsPerWatch is large enough to allocate all buffers of a watch, and to run the garbage collector.
	eventsPerWatch = 30
)

// TestMemory checks the memory of a sidecar and a proxy when they are idle and with many watches. The watches on the
// sidecar share HTTP/2 connections, and those on the proxy have a separate connection each. The flag -v prints the
// memory.
func TestMemory(t *testing.T) {
	c := clusterServing(t, "v1beta1")
	namespace, directClient := c.newNamespace(t)
	claim := createClaim(t, directClient, "v1beta1", namespace, "a")
	write := func(value string) error {
		patch := `{"metadata":{"annotations":{"written":"` + value + `"}}}`
		_, err := claimClient(directClient, "v1beta1", namespace).Patch(t.Context(), "a", types.MergePatchType, []byte(patch),
			metav1.PatchOptions{})
		return err
	}
	for name, test := range map[string]struct {
		start func(t *testing.T) (*process.Process, *rest.Config)
		// idleLimit and watchesLimit are limits of anonymous memory in bytes. With many watches, a third of it may be
		// garbage, because the collector does not run while the proxy is idle. A sidecar used 43 MiB, and a proxy 68.
		idleLimit, watchesLimit int64
	}{
		"a sidecar": {idleLimit: 7 << 20, watchesLimit: 64 << 20, start: func(t *testing.T) (*process.Process, *rest.Config) {
			s := c.startSidecar(t, "writer", namespace)
			return s.Process, s.config()
		}},
		"a proxy": {idleLimit: 12 << 20, watchesLimit: 102 << 20, start: func(t *testing.T) (*process.Process, *rest.Config) {
			p := c.startProxy(t, "writer", plane.Port(t))
			return p.Process, &rest.Config{Host: p.url(), QPS: -1}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			proc, config := test.start(t)
			must.Get(claimClient(dynamicClient(t, config), "v1", namespace).Get(t.Context(), "a", metav1.GetOptions{}))(t)
			checkMemory(t, proc, "when idle", test.idleLimit)
			client := must.Get(rest.HTTPClientFor(config))(t)
			url := config.Host + "/apis/resource.k8s.io/v1/namespaces/" + namespace +
				"/resourceclaims?watch=true&resourceVersion=" + claim.GetResourceVersion()
			endWatches := openWatches(t, client, url, write)
			checkMemory(t, proc, fmt.Sprintf("with %d watches", watchCount), test.watchesLimit)
			endWatches()
		})
	}
}

// openWatches opens watchCount watches, writes eventsPerWatch times, and waits until each watch has received the
// events. It returns a function that ends the watches.
func openWatches(t *testing.T, client *http.Client, url string, write func(value string) error) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var received atomic.Int64
	var readers sync.WaitGroup
	t.Cleanup(func() { cancel(); readers.Wait() })
	var group errgroup.Group
	group.SetLimit(16)
	for range watchCount {
		group.Go(func() error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
			if err != nil {
				return err
			}
			resp, err := client.Do(r)
			if err != nil {
				return err
			}
			readers.Go(func() {
				defer resp.Body.Close()
				for lines := bufio.NewReader(resp.Body); ; {
					switch _, err := lines.ReadSlice('\n'); {
					case err == nil:
						received.Add(1)
					case !errors.Is(err, bufio.ErrBufferFull):
						return
					}
				}
			})
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("got status %s of a watch, want 200", resp.Status)
			}
			return nil
		})
	}
	must.Do(t, group.Wait())
	for i := range eventsPerWatch {
		must.Do(t, write(strconv.Itoa(i)))
		eventually(t, func() string { // because unread events also use memory
			if got, want := received.Load(), int64(watchCount*(i+1)); got < want {
				return fmt.Sprintf("got %d events, want %d", got, want)
			}
			return ""
		})
	}
	return func() { cancel(); readers.Wait() }
}

// checkMemory checks that RssAnon does not exceed a limit. It ignores pages of the program's file, which are shared and
// which the kernel can drop.
func checkMemory(t *testing.T, proc *process.Process, when string, limit int64) {
	t.Helper()
	resident := must.Get(proc.Memory("VmRSS"))(t)
	anonymous, err := proc.Memory("RssAnon")
	if err != nil || anonymous > limit {
		t.Errorf("anonymous memory %s: got %d MiB and error %v, want at most %d MiB", when, anonymous>>20, err, limit>>20)
	}
	t.Logf("memory %s: %.1f MiB resident, of which %.1f MiB are anonymous", when, float64(resident)/(1<<20),
		float64(anonymous)/(1<<20))
}
