package plane

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// tokens are the file that kube-apiserver reads: token, name, uid, groups.
func tokens(users []User) []byte {
	var file bytes.Buffer
	lines := csv.NewWriter(&file)
	for _, u := range users {
		line := []string{u.Name, u.Name, "uid-of-" + u.Name}
		if len(u.Groups) > 0 { // an empty text would be a group without a name
			line = append(line, strings.Join(u.Groups, ","))
		}
		_ = lines.Write(line) // a buffer takes all
	}
	lines.Flush()
	return file.Bytes()
}

// As is the configuration of whoever a token stands for.
func (p *Plane) As(token string) *rest.Config {
	config := rest.AnonymousClientConfig(p.Config)
	config.BearerToken, config.QPS, config.WarningHandler = token, -1, rest.NoWarnings{}
	return config
}

// KubeconfigOf whoever a token stands for, [Administrator], say, in a namespace.
func (p *Plane) KubeconfigOf(t testing.TB, token, namespace string) []byte {
	t.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["plane"] = &clientcmdapi.Cluster{Server: p.Config.Host, CertificateAuthorityData: p.Config.CAData}
	config.AuthInfos["user"] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["plane"] = &clientcmdapi.Context{Cluster: "plane", AuthInfo: "user", Namespace: namespace}
	config.CurrentContext = "plane"
	text, err := clientcmd.Write(*config)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
