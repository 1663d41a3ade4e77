package plane

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// tokens returns the token file of kube-apiserver, a CSV file: token, name, uid, groups.
func tokens(users []User) (file []byte) {
	for _, u := range users {
		file = fmt.Appendf(file, "%s,%[1]s,uid-of-%[1]s", u.Name)
		if len(u.Groups) > 0 { // an empty field would be a group without a name
			file = fmt.Appendf(file, ",%q", strings.Join(u.Groups, ","))
		}
		file = append(file, '\n')
	}
	return file
}

// As returns a client configuration for the user with a token.
func (p *Plane) As(token string) *rest.Config {
	config := rest.AnonymousClientConfig(p.Config)
	config.BearerToken, config.QPS, config.WarningHandler = token, -1, rest.NoWarnings{}
	return config
}

// KubeconfigOf returns a kubeconfig for the user with a token, such as [Administrator], and a default namespace.
func (p *Plane) KubeconfigOf(t testing.TB, token, namespace string) []byte {
	t.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["plane"] = &clientcmdapi.Cluster{Server: p.Config.Host, CertificateAuthorityData: p.Config.CAData}
	config.AuthInfos["user"] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["plane"] = &clientcmdapi.Context{Cluster: "plane", AuthInfo: "user", Namespace: namespace}
	config.CurrentContext = "plane"
	return must.Get(clientcmd.Write(*config))(t)
}
