//go:build node

package node_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// kubectl with the cluster's kubeconfig, and what it says.
func kubectl(t *testing.T, c *node.Cluster, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	output, err := exec.CommandContext(ctx, c.Kubectl(), append([]string{
		"--kubeconfig=" + c.Kubeconfig(), "--cache-dir=" + t.TempDir(),
	}, args...)...).CombinedOutput()
	return strings.TrimSpace(string(output)), err
}

// succeeds is for what may not fail.
func succeeds(t *testing.T, c *node.Cluster, args ...string) string {
	t.Helper()
	output, err := kubectl(t, c, args...)
	if err != nil {
		t.Fatalf("kubectl %q: %v\n%s", args, err, output)
	}
	return output
}

// ask a server for a page.
func ask(t *testing.T, url string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	request := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody))(t)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, body)
	}
	return string(body), err
}

// wantField of a pod to get a value, when the kubelet has told.
func wantField(t *testing.T, c *node.Cluster, pod, path, want string) {
	t.Helper()
	await.NoError(t, "the kubelet tells", func() error {
		if got := succeeds(t, c, "get", "pod", pod, "-o=jsonpath="+path); got != want {
			return fmt.Errorf("%s of pod %s is %q, want %q", path, pod, got, want)
		}
		return nil
	})
}

// Pods run as they do anywhere: what the suites beside this one rely on.
func TestPods(t *testing.T) {
	c := node.New(t, node.Options{})
	hello := must.Get(image.BuildPackage(t.Context(), t.TempDir(), "kit.local/hello:1", "./test/node/hello",
		"--user=65532:65532"))(t)
	must.Do(t, c.Load(t.Context(), hello))
	succeeds(t, c, "apply", "-f", "testdata/pods.yaml")
	succeeds(t, c, "rollout", "status", "deployment/hello", "--timeout=110s")
	succeeds(t, c, "rollout", "status", "daemonset/driver", "--namespace=kube-system", "--timeout=110s")
	succeeds(t, c, "wait", "pod/greedy", "--for=condition=Ready", "--timeout=110s")
	service := succeeds(t, c, "get", "service", "hello", "-o=jsonpath={.spec.clusterIP}")
	// A Deployment is there when its pods are, which kube-proxy learns at the same time.
	await.NoError(t, "the Service answers", func() error { _, err := ask(t, "http://"+service); return err })
	greedy := succeeds(t, c, "get", "pod", "greedy", "-o=jsonpath={.status.podIP}")

	tests := map[string]func(*testing.T){
		"the machine reaches a Service": func(t *testing.T) {
			if got, err := ask(t, "http://"+service); err != nil || !strings.HasPrefix(got, "hello from hello-") {
				t.Errorf("%q, %v", got, err)
			}
		},
		"a pod reaches a Service, and every pod behind it": func(t *testing.T) {
			seen := map[string]bool{}
			await.NoError(t, "both pods answer", func() error {
				// kube-proxy may hear of one pod before it hears of the other
				got, err := ask(t, "http://"+greedy+":8080/ask?url=http://"+service)
				if err != nil {
					return err
				}
				if seen[got] = true; len(seen) != 2 {
					return fmt.Errorf("want answers of two pods, got %v", seen)
				}
				return nil
			})
		},
		"the API server reaches a Service": func(t *testing.T) {
			succeeds(t, c, "apply", "-f", "testdata/webhook.yaml")
			// It takes a moment until the API server asks a new webhook. That it does not speak TLS
			// can only be said by who was connected.
			await.NoError(t, "the API server asks", func() error {
				got, err := kubectl(t, c, "create", "configmap", "asks", "--dry-run=server")
				if err == nil || !strings.Contains(got, "HTTP response to HTTPS client") {
					return fmt.Errorf("want a webhook that does not speak TLS, got %q", got)
				}
				return nil
			})
		},
		"logs and commands come through the API server": func(t *testing.T) {
			if got := succeeds(t, c, "logs", "deployment/hello"); !strings.Contains(got, "hello to the log of hello-") {
				t.Errorf("log %q", got)
			}
			got := succeeds(t, c, "exec", "deployment/hello", "--", "/hello", "list", "/")
			if !strings.Contains(got, "hello") {
				t.Errorf("files %q", got)
			}
		},
		"a privileged pod of a DaemonSet sees the node, and not the machine": func(t *testing.T) {
			list := func(folder string) string {
				return succeeds(t, c, "exec", "--namespace=kube-system", "daemonset/driver", "--", "/hello", "list",
					folder)
			}
			if got := list("/plugins"); !strings.Contains(got, "plugins_registry") ||
				!strings.Contains(got, "plugins") {
				t.Errorf("folders of the kubelet %q", got)
			}
			if got := list("/dev"); !strings.Contains(got, "kmsg") {
				t.Errorf("devices %q", got)
			}
		},
		"the kernel enforces a limit of memory": func(t *testing.T) {
			if got, err := ask(t, "http://"+greedy+":8080/take?mebibytes=100"); err == nil {
				t.Errorf("it took %s MiB and lives", got)
			}
			wantField(t, c, "greedy", "{.status.containerStatuses[0].lastState.terminated.reason}", "OOMKilled")
		},
		"a probe that fails restarts a container": func(t *testing.T) {
			// the exit code of a Go program after SIGTERM
			wantField(t, c, "sick", "{.status.containerStatuses[0].lastState.terminated.exitCode}", "2")
		},
		"an image has its digest for a name": func(t *testing.T) {
			list := c.Command(t.Context(), "ctr", "--namespace=k8s.io", "images", "list", "--quiet")
			output, err := list.CombinedOutput()
			if err != nil || !strings.Contains(string(output), "kit.local/hello@sha256:") {
				t.Errorf("%s, %v", output, err)
			}
		},
		"a command in the node sees its processes": func(t *testing.T) {
			output, err := c.Command(t.Context(), "sh", "-c",
				"find /sys/fs/cgroup -path '*/claimbridge-node-*/kubepods/*' -name cgroup.procs -exec cat {} + | "+
					"grep -vx 0 | sort -u | wc -l; cat /proc/1/cmdline").CombinedOutput()
			if err != nil || strings.HasPrefix(string(output), "0\n") || !strings.Contains(string(output), "init") {
				t.Errorf("%s, %v", output, err)
			}
		},
	}
	for name, test := range tests {
		t.Run(name, test)
	}
	t.Run("the API server comes back", func(t *testing.T) {
		must.Do(t, c.RestartAPIServer(t.Context()))
		if got := succeeds(t, c, "get", "deployment", "hello", "-o=jsonpath={.metadata.name}"); got != "hello" {
			t.Errorf("got %q", got)
		}
	})
}
