// Package sidecar provides the files through which the other containers of a pod use the proxy as their API server.
package sidecar

import (
	"bytes"
	"context"
	"crypto/tls"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/cert"
	"k8s.io/klog/v2"
)

// A client in a cluster reads token, ca.crt and namespace from one directory. The proxy maintains such a directory for
// the other containers of its pod: a copy of the rotated token, and the certificate that the proxy serves with. It
// stores the certificate and its key in a second directory, so that it has the same certificate after a restart:
// clients do not read ca.crt again.
const (
	// serviceAccountDir is where a kubelet mounts the token of the service account.
	serviceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount"
	// clientDir is the subdirectory that the other containers mount in place of serviceAccountDir.
	clientDir = "client"
	// proxyDir is the subdirectory with the certificate and the key of the proxy.
	proxyDir = "proxy"
	// tokenInterval is how often the token is copied. A kubelet rotates it after four fifths of its hour, and clients
	// read it every minute.
	tokenInterval = 10 * time.Second
	// certificateValidity is longer than any pod runs. Only the containers of the pod trust the certificate.
	certificateValidity = 10 * 365 * 24 * time.Hour
)

// Start writes the files of the clients to a subdirectory of dir, and copies the token to it until ctx is done. It
// returns the TLS configuration to serve with.
func Start(ctx context.Context, dir string) (*tls.Config, error) {
	proxy, client := filepath.Join(dir, proxyDir), filepath.Join(dir, clientDir)
	if err := os.MkdirAll(proxy, 0o700); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(client, 0o755); err != nil { //nolint:gosec // containers of the pod may run as other users
		return nil, err
	}
	certificate, ca, err := loadOrGenerateCertificate(proxy)
	if err != nil {
		return nil, err
	}
	if err := copyServiceAccount(client); err != nil {
		return nil, err
	}
	// ca.crt is written last: the startup probe waits for it.
	if err := writeFile(filepath.Join(client, "ca.crt"), ca, 0o644); err != nil {
		return nil, err
	}
	go wait.UntilWithContext(ctx, func(context.Context) {
		if err := copyServiceAccount(client); err != nil {
			klog.ErrorS(err, "Failed to copy the service account token")
		}
	}, tokenInterval)
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, nil
}

// copyServiceAccount copies the namespace and the token of the service account to a directory.
func copyServiceAccount(dir string) error {
	for _, name := range []string{"namespace", "token"} {
		data, err := os.ReadFile(filepath.Join(serviceAccountDir, name))
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeFile replaces a file atomically if its content differs.
func writeFile(path string, data []byte, mode os.FileMode) error {
	if current, err := os.ReadFile(path); err == nil && bytes.Equal(current, data) { //nolint:gosec // a fixed path
		return nil
	}
	if err := os.WriteFile(path+".part", data, mode); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// loadOrGenerateCertificate returns the certificate in a directory, and its chain in PEM. It generates them if the
// directory has none.
func loadOrGenerateCertificate(dir string) (pair tls.Certificate, chain []byte, err error) {
	certFile, keyFile := filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	if _, err := tls.LoadX509KeyPair(certFile, keyFile); err != nil {
		chain, key, err := cert.GenerateSelfSignedCertKeyWithOptions(cert.SelfSignedCertKeyOptions{
			Host: "127.0.0.1", AlternateDNS: []string{"localhost"}, MaxAge: certificateValidity,
		})
		if err == nil {
			err = writeFile(keyFile, key, 0o600)
		}
		if err == nil {
			err = writeFile(certFile, chain, 0o644)
		}
		if err != nil {
			return pair, nil, err
		}
	}
	if chain, err = os.ReadFile(certFile); err != nil { //nolint:gosec // a fixed path
		return pair, nil, err
	}
	pair, err = tls.LoadX509KeyPair(certFile, keyFile)
	return pair, chain, err
}
