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

// configs are templates of the files that programs read in the node.
//
//go:embed configs
var configs embed.FS

// pauseImage is what kubelet's pods are made in.
const pauseImage = "kit.local/pause:1"

// apiPort of kube-apiserver.
const apiPort = "6443"

// configure the cluster: write all files that its programs read, and know their flags.
func (c *Cluster) configure(context.Context) error {
	for _, folder := range []string{"pki", "logs", "root"} {
		if err := os.MkdirAll(filepath.Join(c.node.Folder, folder), 0o700); err != nil {
			return err
		}
	}
	if err := c.certify(); err != nil {
		return err
	}
	values := map[string]string{
		"Address":  c.node.Address.Addr().String(),
		"Port":     apiPort,
		"Pods":     c.node.Pods.String(),
		"Services": c.node.Services.String(),
		"Cgroup":   c.node.Name, "Node": Name, "Pause": pauseImage, "State": inside(), "CNI": nodePrograms,
		"VolumePlugins": "/var/lib/kubelet/volumeplugins", "Authorization": "Node,RBAC",
	}
	if c.options.Bridge != "" { // the node authorizer reads v1 in the API server itself, whatever that serves
		values["Authorization"] = "RBAC"
	}
	all, err := template.New("").Option("missingkey=error").ParseFS(configs, "configs/*")
	if err != nil {
		return err
	}
	for _, config := range all.Templates() {
		var text bytes.Buffer
		if err := config.Execute(&text, values); err != nil {
			return fmt.Errorf("write %s: %w", config.Name(), err)
		}
		if err := os.WriteFile(filepath.Join(c.node.Folder, config.Name()), text.Bytes(), 0o600); err != nil {
			return err
		}
	}
	flags, err := os.ReadFile(filepath.Join(c.node.Folder, "programs.yaml"))
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(flags, &c.flags); err != nil {
		return err
	}
	c.flags["kube-apiserver"] = append(c.flags["kube-apiserver"], c.options.APIServerFlags...)
	return c.connect()
}

// connect clients to the API server that will be there.
func (c *Cluster) connect() error {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig())
	if err != nil {
		return err
	}
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	c.config = config
	c.client, err = kubernetes.NewForConfig(config)
	return err
}
