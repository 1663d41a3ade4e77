package node

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

// configs has templates of the configuration files of programs in the node.
//
//go:embed configs
var configs embed.FS

// pauseImage is the image of pod sandboxes.
const pauseImage = "kit.local/pause:1"

// apiServerPort is the port of kube-apiserver.
const apiServerPort = "6443"

// configure writes all files that the cluster's programs read, reads their flags, and creates clients.
func (c *Cluster) configure(context.Context) error {
	for _, dir := range []string{"pki", "logs", "root"} {
		if err := os.MkdirAll(filepath.Join(c.node.Dir, dir), 0o700); err != nil {
			return err
		}
	}
	if err := c.writeCertificates(); err != nil {
		return err
	}
	if err := c.writeConfigs(); err != nil {
		return err
	}
	flags, err := os.ReadFile(filepath.Join(c.node.Dir, "programs.yaml"))
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(flags, &c.flags); err != nil {
		return err
	}
	c.flags["kube-apiserver"] = append(c.flags["kube-apiserver"], c.options.APIServerFlags...)
	return c.newClients()
}

// writeConfigs executes the templates.
func (c *Cluster) writeConfigs() error {
	values := map[string]string{
		"Address":       c.node.Address.Addr().String(),
		"Port":          apiServerPort,
		"Pods":          c.node.Pods.String(),
		"Services":      c.node.Services.String(),
		"Cgroup":        c.node.Name,
		"Node":          Name,
		"Pause":         pauseImage,
		"State":         pathInNode(),
		"CNI":           nodePrograms,
		"VolumePlugins": "/var/lib/kubelet/volumeplugins",
		"Authorization": "Node,RBAC",
	}
	if c.options.Bridge != "" { // the node authorizer reads v1 inside the API server, even if that does not serve it
		values["Authorization"] = "RBAC"
	}
	templates, err := template.New("").Option("missingkey=error").ParseFS(configs, "configs/*")
	if err != nil {
		return err
	}
	for _, config := range templates.Templates() {
		var text bytes.Buffer
		if err := config.Execute(&text, values); err != nil {
			return fmt.Errorf("write %s: %w", config.Name(), err)
		}
		if err := os.WriteFile(filepath.Join(c.node.Dir, config.Name()), text.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// newClients creates clients of the API server, which need not run yet.
func (c *Cluster) newClients() error {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig())
	if err != nil {
		return err
	}
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	c.config = config
	c.client, err = kubernetes.NewForConfig(config)
	return err
}
