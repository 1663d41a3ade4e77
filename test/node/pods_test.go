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

// kubectl runs kubectl with the cluster's kubeconfig, and returns its output.
func kubectl(t *testing.T, c *node.Cluster, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	output, err := exec.CommandContext(ctx, c.Kubectl(), append([]string{
		"--kubeconfig=" + c.Kubeconfig(), "--cache-dir=" + t.TempDir(),
	}, args...)...).CombinedOutput()
	return strings.TrimSpace(string(output)), err
}

// mustKubectl runs kubectl, and ends the test if it fails.
func mustKubectl(t *testing.T, c *node.Cluster, args ...string) string {
	t.Helper()
	output, err := kubectl(t, c, args...)
	if err != nil {
		t.Fatalf("kubectl %q: %v\n%s", args, err, output)
	}
	return output
}

// get returns the response body of a GET request.
func get(t *testing.T, url string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	request := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody))(t)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return string(body), err
}

// waitForField waits until a field of a pod has a value.
func waitForField(t *testing.T, c *node.Cluster, pod, path, want string) {
	t.Helper()
	await.NoError(t, "status of pod "+pod, func() error {
		if got := mustKubectl(t, c, "get", "pod", pod, "-o=jsonpath="+path); got != want {
			return fmt.Errorf("%s of pod %s is %q, want %q", path, pod, got, want)
		}
		return nil
	})
}

// TestPods checks that pods, Services and webhooks work as in other clusters. The other suites of nodes rely on that.
func TestPods(t *testing.T) {
	c := node.New(t, node.Options{})
	hello := must.Get(image.BuildPackage(t.Context(), t.TempDir(), "kit.local/hello:1", "./test/node/hello",
		"--user=65532:65532"))(t)
	must.Do(t, c.Load(t.Context(), hello))
	mustKubectl(t, c, "apply", "-f", "testdata/pods.yaml")
	mustKubectl(t, c, "rollout", "status", "deployment/hello", "--timeout=110s")
	mustKubectl(t, c, "rollout", "status", "daemonset/driver", "--namespace=kube-system", "--timeout=110s")
	mustKubectl(t, c, "wait", "pod/memory-hog", "--for=condition=Ready", "--timeout=110s")
	service := mustKubectl(t, c, "get", "service", "hello", "-o=jsonpath={.spec.clusterIP}")
	// The Deployment is available as soon as its pods are ready, which kube-proxy may see later.
	await.NoError(t, "response of the Service", func() error { _, err := get(t, "http://"+service); return err })
	memoryHog := mustKubectl(t, c, "get", "pod", "memory-hog", "-o=jsonpath={.status.podIP}")

	tests := map[string]func(*testing.T){
		"the machine reaches a Service": func(t *testing.T) {
			if got, err := get(t, "http://"+service); err != nil || !strings.HasPrefix(got, "hello from hello-") {
				t.Errorf("GET of the Service: got %q, %v, want hello from a pod", got, err)
			}
		},
		"a pod reaches a Service, and every pod behind it": func(t *testing.T) {
			seen := map[string]bool{}
			await.NoError(t, "responses of both pods", func() error {
				// kube-proxy may see one pod before it sees the other
				got, err := get(t, "http://"+memoryHog+":8080/get?url=http://"+service)
				if err != nil {
					return err
				}
				if seen[got] = true; len(seen) != 2 {
					return fmt.Errorf("responses from %v, want two pods", seen)
				}
				return nil
			})
		},
		"the API server reaches a Service": func(t *testing.T) {
			mustKubectl(t, c, "apply", "-f", "testdata/webhook.yaml")
			// The API server needs a moment to see a new webhook configuration. Only a connection shows that the
			// webhook does not support TLS.
			await.NoError(t, "call of the webhook", func() error {
				got, err := kubectl(t, c, "create", "configmap", "webhook-is-called", "--dry-run=server")
				if err == nil || !strings.Contains(got, "HTTP response to HTTPS client") {
					return fmt.Errorf("got %q, want an error of a webhook without TLS", got)
				}
				return nil
			})
		},
		"kubectl logs and kubectl exec work through the API server": func(t *testing.T) {
			if got := mustKubectl(t, c, "logs", "deployment/hello"); !strings.Contains(got,
				"hello to the log of hello-") {
				t.Errorf("log: got %q, want a line of hello", got)
			}
			got := mustKubectl(t, c, "exec", "deployment/hello", "--", "/hello", "list", "/")
			if !strings.Contains(got, "hello") {
				t.Errorf("files in /: got %q, want hello", got)
			}
		},
		"a privileged pod of a DaemonSet sees the files of the node": func(t *testing.T) {
			list := func(folder string) string {
				return mustKubectl(t, c, "exec", "--namespace=kube-system", "daemonset/driver", "--", "/hello", "list",
					folder)
			}
			if got := list("/plugins"); !strings.Contains(got, "plugins_registry") ||
				!strings.Contains(got, "plugins") {
				t.Errorf("folders of the kubelet: got %q, want plugins and plugins_registry", got)
			}
			if got := list("/dev"); !strings.Contains(got, "kmsg") {
				t.Errorf("devices: got %q, want kmsg", got)
			}
		},
		"the kernel enforces memory limits": func(t *testing.T) {
			if got, err := get(t, "http://"+memoryHog+":8080/allocate?mebibytes=100"); err == nil {
				t.Errorf("the container allocated %s MiB, more than its limit of 48 MiB", got)
			}
			waitForField(t, c, "memory-hog", "{.status.containerStatuses[0].lastState.terminated.reason}", "OOMKilled")
		},
		"a container is restarted when its liveness probe fails": func(t *testing.T) {
			// the exit code of a Go program after SIGTERM
			waitForField(t, c, "failing-probe", "{.status.containerStatuses[0].lastState.terminated.exitCode}", "2")
		},
		"an image can be found by its digest": func(t *testing.T) {
			list := c.Command(t.Context(), "ctr", "--namespace=k8s.io", "images", "list", "--quiet")
			output, err := list.CombinedOutput()
			if err != nil || !strings.Contains(string(output), "kit.local/hello@sha256:") {
				t.Errorf("images: got %s, %v, want kit.local/hello with a digest", output, err)
			}
		},
		"a command in the node sees its processes": func(t *testing.T) {
			output, err := c.Command(t.Context(), "sh", "-c",
				"find /sys/fs/cgroup -path '*/claimbridge-node-*/kubepods/*' -name cgroup.procs -exec cat {} + | "+
					"grep -vx 0 | sort -u | wc -l; cat /proc/1/cmdline").CombinedOutput()
			if err != nil || strings.HasPrefix(string(output), "0\n") || !strings.Contains(string(output), "init") {
				t.Errorf("number of processes in pods, and command of process 1: got %s, %v, want processes and init",
					output, err)
			}
		},
	}
	for name, test := range tests {
		t.Run(name, test)
	}
	t.Run("the API server restarts", func(t *testing.T) {
		must.Do(t, c.RestartAPIServer(t.Context()))
		if got := mustKubectl(t, c, "get", "deployment", "hello", "-o=jsonpath={.metadata.name}"); got != "hello" {
			t.Errorf("name of the Deployment: got %q, want hello", got)
		}
	})
}
