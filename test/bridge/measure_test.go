//go:build e2e

package bridge

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// BenchmarkWays measures one thing after the other, in-tree, through a bridge in process, and through the proxy, on a cluster of v1beta1 alone:
//
//	go test -tags e2e ./test/bridge -run '^$' -bench Ways -served v1beta1 -benchtime 1x
func BenchmarkWays(b *testing.B) {
	c := alone["v1beta1"]
	if c == nil {
		b.Skip("no cluster of v1beta1")
	}
	p := c.proxy(b, "root", plane.Port(b))
	key := clientOf(key.As("root"))
	ways := []struct {
		name string
		*kubernetes.Clientset
	}{
		{"in-tree", key}, {"in process", clientOf(c.bridged("root"))}, {"proxy", clientOf(&rest.Config{Host: p.url(), QPS: -1, WarningHandler: rest.NoWarnings{}})},
	}
	b.Logf("idle: proxy %s", resident(p))
	for _, client := range []*kubernetes.Clientset{key, ways[1].Clientset} {
		fill(b, client)
	}
	for _, what := range []struct {
		name string
		n    int
		do   func(*kubernetes.Clientset, int) (time.Duration, error)
	}{
		{"get", 1500, measuredGet}, {"put", 500, measuredPut}, {"event", 300, measuredEvent}, {"list of 5,000", 7, measuredList},
	} {
		times := make([][]time.Duration, len(ways))
		for i := range what.n { // each in turn, so that a busy moment meets all
			for w, way := range ways {
				took, err := what.do(way.Clientset, i)
				if err != nil {
					b.Fatalf("%s %s: %v", way.name, what.name, err)
				}
				times[w] = append(times[w], took)
			}
		}
		for w, way := range ways {
			slices.Sort(times[w])
			b.Logf("%-14s %-11s p50 %v p90 %v", what.name, way.name, times[w][len(times[w])/2].Round(time.Microsecond), times[w][len(times[w])*9/10].Round(time.Microsecond))
		}
	}
	b.Logf("after that: proxy %s", resident(p))
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for range 1000 {
		w, err := ways[2].ResourceV1().ResourceClaims("default").Watch(ctx, metav1.ListOptions{ResourceVersion: "", FieldSelector: "metadata.name=measured"})
		if err != nil {
			b.Fatal(err)
		}
		<-w.ResultChan()
		defer w.Stop()
	}
	b.Logf("1,000 watches: proxy %s", resident(p))
}

func clientOf(config *rest.Config) *kubernetes.Clientset { return kubernetes.NewForConfigOrDie(config) }

const many = 5000

func fill(b *testing.B, client *kubernetes.Clientset) {
	api := client.ResourceV1().ResourceClaims("default")
	if _, err := api.Create(b.Context(), claimV1("measured"), metav1.CreateOptions{}); err != nil {
		b.Fatal(err)
	}
	errs := make(chan error, 8)
	for w := range 8 {
		go func() {
			for i := w; i < many; i += 8 {
				if _, err := api.Create(b.Context(), claimV1(fmt.Sprintf("many-%d", i)), metav1.CreateOptions{}); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
}

func measuredGet(client *kubernetes.Clientset, _ int) (time.Duration, error) {
	begun := time.Now()
	_, err := client.ResourceV1().ResourceClaims("default").Get(context.Background(), "measured", metav1.GetOptions{})
	return time.Since(begun), err
}

func measuredPut(client *kubernetes.Clientset, i int) (time.Duration, error) {
	api := client.ResourceV1().ResourceClaims("default")
	claim, err := api.Get(context.Background(), "many-1", metav1.GetOptions{})
	if err != nil {
		return 0, err
	}
	claim.Labels = map[string]string{"put": fmt.Sprint(i)}
	begun := time.Now()
	_, err = api.Update(context.Background(), claim, metav1.UpdateOptions{})
	return time.Since(begun), err
}

func measuredList(client *kubernetes.Clientset, _ int) (time.Duration, error) {
	begun := time.Now()
	all, err := client.ResourceV1().ResourceClaims("default").List(context.Background(), metav1.ListOptions{ResourceVersion: "0"})
	if err == nil && len(all.Items) < many {
		err = fmt.Errorf("%d items", len(all.Items))
	}
	return time.Since(begun), err
}

// watched is a claim of a client's own.
type watchedClaim struct {
	apiwatch.Interface
	name string
}

var watching = map[*kubernetes.Clientset]watchedClaim{}

// measuredEvent from the write to its arrival, less the write: both are sent by the same client.
func measuredEvent(client *kubernetes.Clientset, i int) (time.Duration, error) {
	api := client.ResourceV1().ResourceClaims("default")
	if watching[client].name == "" {
		name := fmt.Sprintf("many-%d", 10+len(watching))
		w, err := api.Watch(context.Background(), metav1.ListOptions{FieldSelector: "metadata.name=" + name})
		if err != nil {
			return 0, err
		}
		<-w.ResultChan()
		watching[client] = watchedClaim{w, name}
	}
	begun := time.Now()
	_, err := api.Patch(context.Background(), watching[client].name, types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"labels":{"e":"%d"}}}`, i), metav1.PatchOptions{})
	if err != nil {
		return 0, err
	}
	<-watching[client].ResultChan()
	return time.Since(begun), nil
}

func resident(p *proxy) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		return err.Error()
	}
	var found []string
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "RssAnon") || strings.HasPrefix(line, "VmHWM") {
			found = append(found, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(found, ", ")
}
