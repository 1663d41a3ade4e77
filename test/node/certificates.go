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

// identity is the subject of a certificate.
type identity struct {
	// file is the name of the certificate's files, without extension.
	file   string
	name   string
	groups []string
	// dns are the DNS names of a server.
	dns []string
}

// identities are the identities in a cluster. Kubernetes' default RBAC rules refer to the names of its components.
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

// pathInNode returns the path at which programs in the node see a file of the cluster's folder.
func pathInNode(elements ...string) string {
	return filepath.Join(append([]string{stateDir}, elements...)...)
}

// writeCertificates writes a certificate, a key and a kubeconfig for each identity, and the keys of kube-apiserver.
func (c *Cluster) writeCertificates() error {
	authority, err := certs.NewAuthority("kubernetes", certs.Day)
	if err != nil {
		return err
	}
	files := map[string][]byte{"pki/ca.crt": authority.Certificate}
	addresses := []string{c.node.Address.Addr().String(), c.node.apiServerServiceIP().String(), "127.0.0.1"}
	for _, id := range identities {
		pair, err := authority.Sign(certs.Leaf{
			Name: id.name, Groups: id.groups, Hosts: slices.Concat(addresses, id.dns),
		})
		if err != nil {
			return fmt.Errorf("certificate of %s: %w", id.name, err)
		}
		kubeconfig, err := clientcmd.Write(*c.newKubeconfig(c.apiServerURL(), authority.Certificate, pair))
		if err != nil {
			return err
		}
		files["pki/"+id.file+".crt"] = pair.Certificate
		files["pki/"+id.file+".key"] = pair.Key
		files["pki/"+id.file+".conf"] = kubeconfig
	}
	files["kubeconfig"] = files["pki/admin.conf"]
	// Service account tokens are signed with a separate key. Requests of kube-apiserver to extension API servers have
	// certificates of another authority.
	tokens, err := authority.Sign(certs.Leaf{Name: "service-accounts"})
	if err != nil {
		return err
	}
	files["pki/tokens.key"], files["pki/tokens.crt"] = tokens.Key, tokens.Certificate
	frontProxyCA, err := certs.NewAuthority("front-proxy-ca", certs.Day)
	if err != nil {
		return err
	}
	frontProxy, err := frontProxyCA.Sign(certs.Leaf{Name: "front-proxy-client"})
	if err != nil {
		return err
	}
	files["pki/front-proxy-ca.crt"] = frontProxyCA.Certificate
	files["pki/front-proxy.crt"] = frontProxy.Certificate
	files["pki/front-proxy.key"] = frontProxy.Key
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(c.node.Dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) apiServerURL() string {
	return "https://" + c.node.Address.Addr().String() + ":" + apiServerPort
}

// newKubeconfig returns a kubeconfig for a server, its authority, and the certificate of a client.
func (c *Cluster) newKubeconfig(server string, authority []byte, client certs.Pair) *clientcmdapi.Config {
	config := clientcmdapi.NewConfig()
	config.Clusters[c.node.Name] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: authority}
	config.AuthInfos["user"] = &clientcmdapi.AuthInfo{
		ClientCertificateData: client.Certificate, ClientKeyData: client.Key,
	}
	config.Contexts[c.node.Name] = &clientcmdapi.Context{Cluster: c.node.Name, AuthInfo: "user"}
	config.CurrentContext = c.node.Name
	return config
}
