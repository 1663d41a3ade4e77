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

// bridged are the programs of Kubernetes that use claims. Each has a separate proxy.
var bridged = []string{"controller-manager", "scheduler", "kubelet"}

// bridge starts claimbridge proxy, a program of the machine, for each of them, with its
// credentials, and has it ask there.
func (c *Cluster) bridge(ctx context.Context) error {
	if c.options.Bridge == "" {
		return nil
	}
	text, err := os.ReadFile(c.options.Bridge)
	if err != nil {
		return err
	}
	//nolint:gosec // it is run
	if err := os.WriteFile(filepath.Join(c.node.Folder, "claimbridge"), text, 0o755); err != nil {
		return err
	}
	nodes := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "nodes"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:node"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "system:nodes"}},
	}
	if _, err := c.client.RbacV1().ClusterRoleBindings().Create(ctx, nodes, metav1.CreateOptions{}); err != nil {
		return err
	}
	for i, who := range bridged {
		conf, direct, port := filepath.Join(c.node.Folder, "pki", who+".conf"), who+"-direct.conf", 8001+i
		if err := os.Rename(conf, filepath.Join(filepath.Dir(conf), direct)); err != nil {
			return err
		}
		// which requires no credentials
		proxy := c.kubeconfigOf(fmt.Sprintf("http://127.0.0.1:%d", port), nil, certs.Pair{})
		if err := clientcmd.WriteToFile(*proxy, conf); err != nil {
			return err
		}
		name := "proxy-of-" + who
		if err := c.runAs(name, inside("claimbridge"), "proxy", "--kubeconfig="+inside("pki", direct),
			fmt.Sprintf("--port=%d", port)); err != nil {
			return err
		}
		if err := c.until(ctx, name, "it does not serve", func(context.Context) error {
			log, err := os.ReadFile(c.logFile(name))
			if err != nil || !bytes.Contains(log, []byte("Starting to serve")) {
				return fmt.Errorf("it says %q", log)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
