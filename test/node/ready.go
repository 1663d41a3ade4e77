package node

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// serve waits for kube-apiserver.
func (c *Cluster) serve(ctx context.Context) error {
	return c.until(ctx, "kube-apiserver", "it is not ready", c.serves)
}

// serves tells whether kube-apiserver does, with all that it makes for itself at its start.
func (c *Cluster) serves(ctx context.Context) error {
	return c.client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
}

// ready is a cluster when pods can be created, would run, and reach Services.
func (c *Cluster) ready(ctx context.Context) error {
	for _, wait := range []struct {
		program, what string
		is            func(context.Context) error
	}{
		{"kube-controller-manager", "the namespace default has no service account", c.hasServiceAccount},
		{"kubelet", "the node is not ready", c.nodeIsReady},
		{"kube-proxy", "the Service of the API server does not answer", c.servicesAnswer},
	} {
		if err := c.until(ctx, wait.program, wait.what, wait.is); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) hasServiceAccount(ctx context.Context) error {
	_, err := c.client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
	return err
}

func (c *Cluster) nodeIsReady(ctx context.Context) error {
	node, err := c.client.CoreV1().Nodes().Get(ctx, Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(node.Spec.Taints) > 0 { // the controller manager takes them away after it has seen the node ready
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
	return fmt.Errorf("node %s does not say whether it is ready", Name)
}

func (c *Cluster) servicesAnswer(ctx context.Context) error {
	config := c.Config()
	config.Host = c.node.firstService().String()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	return client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
}

// RestartAPIServer stops kube-apiserver as a signal does, and starts it with the same flags. It
// returns when that one is ready.
func (c *Cluster) RestartAPIServer(ctx context.Context) error {
	const name = "kube-apiserver"
	if err := c.stop(ctx, name); err != nil {
		return err
	}
	if err := c.run(name)(ctx); err != nil {
		return err
	}
	return c.serve(ctx)
}
