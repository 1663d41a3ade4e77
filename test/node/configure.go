package node

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// configs are templates of the files that programs read in the node.
//
//go:embed configs
var configs embed.FS

// pauseImage is what kubelet's pods are made in.
const pauseImage = "kit.local/pause:1"

const volumePlugins = "/var/lib/kubelet/volumeplugins"

// configure the cluster: write all files that its programs read.
func (c *Cluster) configure() error {
	for _, folder := range []string{"pki", "logs", "cni", "root"} {
		if err := os.MkdirAll(filepath.Join(c.node.Folder, folder), 0o700); err != nil {
			return err
		}
	}
	if err := c.certify(); err != nil {
		return err
	}
	values := map[string]string{
		"Address": c.node.Address.Addr().String(), "Pods": c.node.Pods.String(), "Cgroup": c.node.Name, "Node": Name,
		"Pause": pauseImage, "State": inside(), "CNI": nodePrograms, "VolumePlugins": volumePlugins,
	}
	all, err := template.New("").Option("missingkey=error").ParseFS(configs, "configs/*")
	if err != nil {
		return err
	}
	for file, name := range map[string]string{"kubelet.yaml": "kubelet.yaml", "proxy.yaml": "proxy.yaml", "containerd.toml": "containerd.toml", "cni/10-node.conflist": "cni.json"} {
		var text bytes.Buffer
		if err := all.ExecuteTemplate(&text, name, values); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
		if err := os.WriteFile(filepath.Join(c.node.Folder, file), text.Bytes(), 0o600); err != nil {
			return err
		}
	}
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
