package node

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

// proxiedComponents are the components of Kubernetes that use claims. Each has a separate proxy.
var proxiedComponents = []string{"controller-manager", "scheduler", "kubelet"}

// startProxies starts claimbridge proxy for each component that uses claims, with the credentials of the component. It
// replaces the component's kubeconfig with one of the proxy. Without [Options.Bridge] it does nothing.
func (c *Cluster) startProxies(ctx context.Context) error {
	if c.options.Bridge == "" {
		return nil
	}
	program, err := os.ReadFile(c.options.Bridge)
	if err != nil {
		return err
	}
	//nolint:gosec // a program must be executable
	if err := os.WriteFile(filepath.Join(c.node.Dir, "claimbridge"), program, 0o755); err != nil {
		return err
	}
	if err := c.grantNodeRole(ctx); err != nil {
		return err
	}
	for i, component := range proxiedComponents {
		if err := c.startProxy(ctx, component, 8001+i); err != nil {
			return err
		}
	}
	return nil
}

// grantNodeRole binds the ClusterRole system:node to all nodes, because the API server has no node authorizer.
func (c *Cluster) grantNodeRole(ctx context.Context) error {
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "nodes"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:node"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "system:nodes"}},
	}
	_, err := c.client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{})
	return err
}

// startProxy starts the proxy of a component and waits until it serves.
func (c *Cluster) startProxy(ctx context.Context, component string, port int) error {
	kubeconfig := filepath.Join(c.node.Dir, "pki", component+".conf")
	direct := component + "-direct.conf"
	if err := os.Rename(kubeconfig, filepath.Join(filepath.Dir(kubeconfig), direct)); err != nil {
		return err
	}
	// The proxy requires no credentials from its clients.
	proxied := c.newKubeconfig(fmt.Sprintf("http://127.0.0.1:%d", port), nil, certs.Pair{})
	if err := clientcmd.WriteToFile(*proxied, kubeconfig); err != nil {
		return err
	}
	name := "proxy-of-" + component
	if err := c.startProcess(name, pathInNode("claimbridge"), "proxy", "--kubeconfig="+pathInNode("pki", direct),
		fmt.Sprintf("--port=%d", port)); err != nil {
		return err
	}
	return c.waitFor(ctx, name, "the proxy does not serve", func(context.Context) error {
		log, err := os.ReadFile(c.logFile(name))
		if err != nil || !bytes.Contains(log, []byte("Starting to serve")) {
			return fmt.Errorf("the log is %q", log)
		}
		return nil
	})
}
