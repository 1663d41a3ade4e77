package node

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

// identity of a program or a person, by its certificate.
type identity struct {
	file, name string
	groups     []string
	// servers alone have names that clients look for.
	dns []string
}

// Who is who in a cluster. The names of Kubernetes' own programs are those that its RBAC is made for at the start.
var identities = []identity{
	{file: "admin", name: "admin", groups: []string{"system:masters"}},
	{file: "controller-manager", name: "system:kube-controller-manager"},
	{file: "scheduler", name: "system:kube-scheduler"},
	{file: "proxy", name: "system:kube-proxy"},
	{file: "kubelet", name: "system:node:" + Name, groups: []string{"system:nodes"}, dns: []string{Name}},
	{
		file: "apiserver",
		name: "kube-apiserver",
		dns: []string{
			"kubernetes", "kubernetes.default", "kubernetes.default.svc",
			"kubernetes.default.svc.cluster.local",
		},
	},
	{file: "apiserver-kubelet", name: "kube-apiserver-kubelet-client", groups: []string{"system:masters"}},
}

// inside is the path that programs in the node have to a file of the cluster's folder.
func inside(file ...string) string { return filepath.Join(append([]string{state}, file...)...) }

// certify all identities, write their certificates, and a kubeconfig for each.
func (c *Cluster) certify() error {
	authority, err := certs.NewAuthority("kubernetes", certs.Day)
	if err != nil {
		return err
	}
	files := map[string][]byte{"pki/ca.crt": authority.Certificate}
	addresses := []string{c.node.Address.Addr().String(), c.node.firstService().String(), "127.0.0.1"}
	for _, who := range identities {
		pair, err := authority.Sign(certs.Leaf{
			Name: who.name, Groups: who.groups, Hosts: slices.Concat(addresses, who.dns),
		})
		if err != nil {
			return fmt.Errorf("certificate of %s: %w", who.name, err)
		}
		kubeconfig, err := clientcmd.Write(*c.kubeconfigOf(c.server(), authority.Certificate, pair))
		if err != nil {
			return err
		}
		files["pki/"+who.file+".crt"], files["pki/"+who.file+
			".key"], files["pki/"+who.file+".conf"] = pair.Certificate, pair.Key, kubeconfig
	}
	files["kubeconfig"] = files["pki/admin.conf"]
	// Tokens are signed with a separate key, and requests of kube-apiserver to extension API servers have certificates
	// of another authority.
	tokens, err := authority.Sign(certs.Leaf{Name: "service-accounts"})
	if err != nil {
		return err
	}
	files["pki/tokens.key"], files["pki/tokens.crt"] = tokens.Key, tokens.Certificate
	front, err := certs.NewAuthority("front-proxy-ca", certs.Day)
	if err != nil {
		return err
	}
	client, err := front.Sign(certs.Leaf{Name: "front-proxy-client"})
	if err != nil {
		return err
	}
	files["pki/front-proxy-ca.crt"] = front.Certificate
	files["pki/front-proxy.crt"] = client.Certificate
	files["pki/front-proxy.key"] = client.Key
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(c.node.Folder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) server() string {
	return "https://" + c.node.Address.Addr().String() + ":" + apiPort
}

func (c *Cluster) kubeconfigOf(server string, authority []byte, pair certs.Pair) *clientcmdapi.Config {
	config := clientcmdapi.NewConfig()
	config.Clusters[c.node.Name] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: authority}
	config.AuthInfos["user"] = &clientcmdapi.AuthInfo{ClientCertificateData: pair.Certificate, ClientKeyData: pair.Key}
	config.Contexts[c.node.Name] = &clientcmdapi.Context{Cluster: c.node.Name, AuthInfo: "user"}
	config.CurrentContext = c.node.Name
	return config
}
