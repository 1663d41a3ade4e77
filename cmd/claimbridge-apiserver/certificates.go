package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/certificates"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
)

// sharedCertificates are for a server that is given no certificate: its replicas sign their own, by a CA that they share in a Secret.
type sharedCertificates struct {
	secret   string
	dnsNames []string
}

func (c *sharedCertificates) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&c.secret, "certificate-secret", "", "Secret (namespace/name) with a CA that replicas share, which signs the serving certificate and is published in the caBundle of the APIServices; instead of certificate files. The server makes and replaces the CA")
	fs.StringSliceVar(&c.dnsNames, "tls-dns-names", nil, "names in the certificate that --certificate-secret has signed, as of the server's Service: claimbridge-apiserver.claimbridge-system.svc")
}

func (c *sharedCertificates) check(secure *genericoptions.SecureServingOptionsWithLoopback) error {
	files := secure.ServerCert.CertKey.CertFile != "" || secure.ServerCert.CertDirectory != ""
	namespace, name, _ := strings.Cut(c.secret, "/")
	switch {
	case c.secret == "" && len(c.dnsNames) > 0:
		return errors.New("--tls-dns-names is for --certificate-secret: a certificate that is read from files has its names")
	case c.secret != "" && files:
		return errors.New("--certificate-secret is instead of --tls-cert-file and --cert-dir")
	case c.secret != "" && (namespace == "" || name == "" || strings.Contains(name, "/")):
		return fmt.Errorf("--certificate-secret=%.200s: must be namespace/name", c.secret)
	case c.secret != "" && len(c.dnsNames) == 0:
		return errors.New("--certificate-secret needs --tls-dns-names, by which API servers know this one")
	}
	return nil
}

// apply before the options of the generic server are, which then make no certificate of their own. The generic server runs what it is given.
func (c *sharedCertificates) apply(cluster *rest.Config, versions []string, secure *genericoptions.SecureServingOptionsWithLoopback) error {
	if c.secret == "" {
		return nil
	}
	source, err := certificates.Shared(cluster, c.secret, c.dnsNames, versions, metrics.Authority{})
	if err != nil {
		return err
	}
	secure.ServerCert.GeneratedCert = source
	return nil
}
