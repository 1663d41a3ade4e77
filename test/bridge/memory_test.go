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
	manyWatches = 1000
	// eventsPerWatch events allocate all buffers of a watch, and make the garbage collector run.
	eventsPerWatch = 30
)

// TestMemory checks the memory of a proxy when it is idle and with many watches: those of one client in a pod, which
// share HTTP/2 connections, and those with a separate connection each. The flag -v prints it.
func TestMemory(t *testing.T) {
	c := clusterServing(t, "v1beta1")
	namespace, direct := c.newNamespace(t)
	claim := createClaim(t, direct, "v1beta1", namespace, "a")
	write := func(value string) error {
		patch := `{"metadata":{"annotations":{"written":"` + value + `"}}}`
		_, err := claimClient(direct, "v1beta1", namespace).Patch(t.Context(), "a", types.MergePatchType, []byte(patch),
			metav1.PatchOptions{})
		return err
	}
	for name, test := range map[string]struct {
		start func(t *testing.T) (*process.Process, *rest.Config)
		// idle and manyWatches are limits of anonymous memory. With many watches, a third of it may be garbage: the
		// collector does not run while the proxy is idle. 43 and 68 MiB were measured.
		idle, manyWatches int64
	}{
		"a sidecar": {idle: 7 << 20, manyWatches: 64 << 20, start: func(t *testing.T) (*process.Process, *rest.Config) {
			s := c.startSidecar(t, "writer", namespace)
			return s.Process, s.config()
		}},
		"a proxy": {idle: 12 << 20, manyWatches: 102 << 20, start: func(t *testing.T) (*process.Process, *rest.Config) {
			p := c.startProxy(t, "writer", plane.Port(t))
			return p.Process, &rest.Config{Host: p.url(), QPS: -1}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			program, config := test.start(t)
			must.Get(claimClient(dynamicClient(t, config), "v1", namespace).Get(t.Context(), "a", metav1.GetOptions{}))(t)
			checkMemory(t, program, "idle", test.idle)
			client := must.Get(rest.HTTPClientFor(config))(t)
			url := config.Host + "/apis/resource.k8s.io/v1/namespaces/" + namespace +
				"/resourceclaims?watch=true&resourceVersion=" + claim.GetResourceVersion()
			end := watchMany(t, client, url, write)
			checkMemory(t, program, fmt.Sprintf("with %d watches", manyWatches), test.manyWatches)
			end()
		})
	}
}

// watchMany opens many watches and waits until each has received its events. It returns a function that ends them.
func watchMany(t *testing.T, client *http.Client, url string, write func(value string) error) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var received atomic.Int64
	var readers sync.WaitGroup
	t.Cleanup(func() { cancel(); readers.Wait() })
	var group errgroup.Group
	group.SetLimit(16)
	for range manyWatches {
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
				return fmt.Errorf("a watch: %s", resp.Status)
			}
			return nil
		})
	}
	must.Do(t, group.Wait())
	for i := range eventsPerWatch {
		must.Do(t, write(strconv.Itoa(i)))
		eventually(t, func() string { // unread events also use memory
			if got, want := received.Load(), int64(manyWatches*(i+1)); got < want {
				return fmt.Sprintf("%d events of %d", got, want)
			}
			return ""
		})
	}
	return func() { cancel(); readers.Wait() }
}

// checkMemory checks that RssAnon does not exceed a limit. Pages of the program's file are shared, and the kernel can
// drop them.
func checkMemory(t *testing.T, program *process.Process, when string, limit int64) {
	t.Helper()
	resident := must.Get(program.Memory("VmRSS"))(t)
	anonymous, err := program.Memory("RssAnon")
	if err != nil || anonymous > limit {
		t.Errorf("%v: %s: more than %d MiB of anonymous memory", err, when, limit>>20)
	}
	t.Logf("%s: %.1f MiB resident, %.1f MiB of them anonymous", when, float64(resident)/(1<<20),
		float64(anonymous)/(1<<20))
}
