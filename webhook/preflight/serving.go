package preflight

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"path"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// serving is what a call is answered with: a certificate and its chain, leaf first, or, where the server signs its own
// certificates, only the CA that it signs with.
type serving struct {
	chain     []*x509.Certificate
	authority bool
	// from is the object that it was read from.
	from Object
}

// served at the other end of a call. It is nil when there is nothing to see, which is noted unless another check says so.
func (v *view) served(c call) *serving {
	switch {
	case c.url != "":
		chain, err := presented(v.ctx, c.address(), c.serverName())
		if err != nil {
			v.doubt(c.object, "could not look at what "+c.url+" presents: "+err.Error(), say("run preflight where that address can be reached, as it can from the API server"))
			return nil
		}
		return &serving{chain: chain, from: c.object}
	case c.namespace != v.options.Namespace || c.service != name || len(v.aside().leftBehind()) > 0:
		return nil // webhooks-call-this-installation, service-exists or conversion-is-not-left-behind say so
	}
	return v.servedFromSecret()
}

func (v *view) servedFromSecret() *serving {
	source := v.certificateSource()
	secret, seen := get[corev1.Secret](v, secrets, v.options.Namespace, source.name)
	if secret == nil {
		if seen && !source.known {
			v.unseen(secrets.object(v.options.Namespace, source.name), "get", secrets, errors.New("there is no Secret of that name, and no Deployment that names another"))
		}
		return nil // if the Deployment names it, certificate-secret-is-filled says so
	}
	chain, err := parseCertificates(secret.Data[corev1.TLSCertKey])
	if err != nil {
		return nil // certificate-secret-is-filled says so
	}
	return &serving{chain, source.authority, secrets.object(secret.Namespace, secret.Name)}
}

// Secrets that the manifests have.
const (
	servingSecret   = "claimbridge-tls"
	authoritySecret = "claimbridge-ca"
)

// certificateSource is the Secret that the server has its certificate from, or its CA.
type certificateSource struct {
	name      string
	authority bool
	// known is false when no Deployment says so.
	known bool
}

func (v *view) certificateSource() certificateSource {
	if deployment, _ := v.aside().deployment(); deployment != nil {
		if source, ok := sourceOf(deployment); ok {
			return source
		}
	}
	if secret, _ := get[corev1.Secret](v.aside(), secrets, v.options.Namespace, servingSecret); secret == nil {
		if secret, _ := get[corev1.Secret](v.aside(), secrets, v.options.Namespace, authoritySecret); secret != nil {
			return certificateSource{name: authoritySecret, authority: true}
		}
	}
	return certificateSource{name: servingSecret}
}

// sourceOf the certificate, by the flags of the server: --certificate-secret names a Secret with a CA, --cert-dir a folder
// that a Secret is mounted at, --tls-cert-file a file in one.
func sourceOf(deployment *appsv1.Deployment) (source certificateSource, ok bool) {
	pod := deployment.Spec.Template.Spec
	for _, container := range pod.Containers {
		if secret, ok := flagOf(container, "certificate-secret"); ok {
			return certificateSource{secret[strings.LastIndex(secret, "/")+1:], true, true}, true
		}
		folder, ok := flagOf(container, "cert-dir")
		if file, is := flagOf(container, "tls-cert-file"); is {
			folder, ok = path.Dir(file), true
		}
		if !ok {
			continue
		}
		mount := slices.IndexFunc(container.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == folder })
		if mount < 0 {
			continue
		}
		for _, volume := range pod.Volumes {
			if volume.Name == container.VolumeMounts[mount].Name && volume.Secret != nil {
				return certificateSource{volume.Secret.SecretName, false, true}, true
			}
		}
	}
	return certificateSource{}, false
}

func flagOf(container corev1.Container, flag string) (value string, ok bool) {
	for _, arg := range slices.Concat(container.Command, container.Args) {
		if value, ok := strings.CutPrefix(arg, "--"+flag+"="); ok {
			return value, true
		}
	}
	return "", false
}

// presented is the certificate that is presented at an address (host:port) to whoever asks for a name, and its chain, leaf
// first. Whether to trust it is not decided here; nothing is sent.
func presented(ctx context.Context, address, serverName string) ([]*x509.Certificate, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{ServerName: serverName, InsecureSkipVerify: true}}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }()
	secure, ok := connection.(*tls.Conn)
	if !ok || len(secure.ConnectionState().PeerCertificates) == 0 {
		return nil, errors.New("no certificate is presented")
	}
	return secure.ConnectionState().PeerCertificates, nil
}
