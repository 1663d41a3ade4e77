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

// A client in a cluster reads token, ca.crt and namespace from one folder. The proxy maintains such a folder for the
// other containers of its pod: a copy of the rotated token, and the certificate that the proxy serves with. It stores
// the certificate and its key in a second folder, so that it has the same certificate after a restart: clients do not
// read ca.crt again.
const (
	// AccountFolder is where a kubelet mounts the token of the service account.
	AccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"
	// ClientFolder is the subfolder that the other containers mount in place of AccountFolder.
	ClientFolder = "client"
	// serverFolder is the subfolder with the certificate and the key of the proxy.
	serverFolder = "own"
	// tokenInterval is how often the token is copied. A kubelet rotates it after four fifths of its hour, and clients
	// read it every minute.
	tokenInterval = 10 * time.Second
	// certificateValidity is longer than any pod runs. Only the containers of the pod trust the certificate.
	certificateValidity = 10 * 365 * 24 * time.Hour
)

// Start writes the files of the clients to folder and copies the token to it until ctx is done. It returns the TLS
// configuration to serve with.
func Start(ctx context.Context, folder string) (*tls.Config, error) {
	server, client := filepath.Join(folder, serverFolder), filepath.Join(folder, ClientFolder)
	if err := os.MkdirAll(server, 0o700); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(client, 0o755); err != nil { //nolint:gosec // containers of the pod may run as other users
		return nil, err
	}
	certificate, ca, err := certificateIn(server)
	if err != nil {
		return nil, err
	}
	if err := copyAccount(client); err != nil {
		return nil, err
	}
	// ca.crt is written last: the startup probe waits for it.
	if err := writeFile(filepath.Join(client, "ca.crt"), ca, 0o644); err != nil {
		return nil, err
	}
	go wait.UntilWithContext(ctx, func(context.Context) {
		if err := copyAccount(client); err != nil {
			klog.ErrorS(err, "Failed to copy the service account token")
		}
	}, tokenInterval)
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, nil
}

// copyAccount copies the namespace and the token of the service account to a folder.
func copyAccount(folder string) error {
	for _, name := range []string{"namespace", "token"} {
		data, err := os.ReadFile(filepath.Join(AccountFolder, name))
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(folder, name), data, 0o644); err != nil {
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

// certificateIn returns the certificate in a folder, and its chain in PEM. It generates them if the folder has none.
func certificateIn(folder string) (pair tls.Certificate, chain []byte, err error) {
	certFile, keyFile := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
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
