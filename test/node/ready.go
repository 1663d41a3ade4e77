package node

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// waitForAPIServer waits until kube-apiserver is ready.
func (c *Cluster) waitForAPIServer(ctx context.Context) error {
	return c.waitFor(ctx, "kube-apiserver", "the API server is not ready", c.checkAPIServer)
}

// checkAPIServer returns an error unless kube-apiserver is ready, with all objects that it creates at its start.
func (c *Cluster) checkAPIServer(ctx context.Context) error {
	return c.client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
}

// waitForCluster waits until pods can be created, would run, and can connect to Services.
func (c *Cluster) waitForCluster(ctx context.Context) error {
	for _, wait := range []struct {
		program, failure string
		condition        func(context.Context) error
	}{
		{"kube-controller-manager", "the namespace default has no service account", c.checkServiceAccount},
		{"kubelet", "the node is not ready", c.checkNode},
		{"kube-proxy", "the Service of the API server does not respond", c.checkService},
	} {
		if err := c.waitFor(ctx, wait.program, wait.failure, wait.condition); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) checkServiceAccount(ctx context.Context) error {
	_, err := c.client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
	return err
}

func (c *Cluster) checkNode(ctx context.Context) error {
	node, err := c.client.CoreV1().Nodes().Get(ctx, Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(node.Spec.Taints) > 0 { // the controller manager removes them some time after the node is ready
		return fmt.Errorf("node %s has taints: %v", Name, node.Spec.Taints)
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			if condition.Status == corev1.ConditionTrue {
				return nil
			}
			return errors.New(condition.Message)
		}
	}
	return fmt.Errorf("node %s has no condition Ready", Name)
}

func (c *Cluster) checkService(ctx context.Context) error {
	config := c.Config()
	config.Host = c.node.apiServerServiceIP().String()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	return client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
}

// RestartAPIServer stops kube-apiserver with SIGTERM, and starts it with the same flags. It returns when the new
// process is ready.
func (c *Cluster) RestartAPIServer(ctx context.Context) error {
	const name = "kube-apiserver"
	if err := c.stopProcess(ctx, name); err != nil {
		return err
	}
	if err := c.startPrograms(name)(ctx); err != nil {
		return err
	}
	return c.waitForAPIServer(ctx)
}
