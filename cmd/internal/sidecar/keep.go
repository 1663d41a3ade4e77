// Package sidecar is what the proxy does in a pod, beside its clients.
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

// An in-cluster configuration reads token, ca.crt and namespace from one folder. The proxy keeps
// such a folder for the other containers of its pod, below client: the token as it is rotated, and
// the certificate that it serves with. That and its key it keeps below own, so that a proxy that
// was restarted is the same server for clients that have read the certificate before.
const (
	AccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"
	ClientFolder  = "client"
	ownFolder     = "own"
	// tokens are looked at as often as this. They are rotated at four fifths of their hour, and
	// clients read them every minute.
	tokensEvery = 10 * time.Second
	// certificateLife is that of a pod and more. It is trusted by the pod's own containers alone.
	certificateLife = 10 * 365 * 24 * time.Hour
)

// Keep fills the folder, keeps the token in it new until ctx is over, and gives what to serve with.
func Keep(ctx context.Context, folder string) (*tls.Config, error) {
	own, client := filepath.Join(folder, ownFolder), filepath.Join(folder, ClientFolder)
	if err := os.MkdirAll(own, 0o700); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(client, 0o755); err != nil { //nolint:gosec // containers of the pod may run as other users
		return nil, err
	}
	certificate, authority, err := identity(own)
	if err != nil {
		return nil, err
	}
	if err := copyAccount(client); err != nil {
		return nil, err
	}
	if err := put(filepath.Join(client, "ca.crt"), authority, 0o644); err != nil {
		// last: who waits for it finds the others
		return nil, err
	}
	go wait.UntilWithContext(ctx, func(context.Context) {
		if err := copyAccount(client); err != nil {
			klog.ErrorS(err, "The token of the service account is not copied")
		}
	}, tokensEvery)
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, nil
}

// copyAccount copies what the service account is known by.
func copyAccount(to string) error {
	for _, name := range []string{"namespace", "token"} {
		data, err := os.ReadFile(filepath.Join(AccountFolder, name))
		if err != nil {
			return err
		}
		if err := put(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// put a file in the place of another one, if it is another, so that no reader meets half of it.
func put(path string, data []byte, mode os.FileMode) error {
	if was, err := os.ReadFile(path); err == nil && bytes.Equal(was, data) { //nolint:gosec // a place of ours
		return nil
	}
	if err := os.WriteFile(path+".part", data, mode); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// identity of the server, and what it is trusted by: the one that is kept in a folder, or else a new one.
func identity(folder string) (pair tls.Certificate, chain []byte, err error) {
	certificate, key := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	if _, err := tls.LoadX509KeyPair(certificate, key); err != nil {
		chain, secret, err := cert.GenerateSelfSignedCertKeyWithOptions(cert.SelfSignedCertKeyOptions{
			Host: "127.0.0.1", AlternateDNS: []string{"localhost"}, MaxAge: certificateLife,
		})
		if err == nil {
			err = put(key, secret, 0o600)
		}
		if err == nil {
			err = put(certificate, chain, 0o644)
		}
		if err != nil {
			return pair, nil, err
		}
	}
	if chain, err = os.ReadFile(certificate); err != nil { //nolint:gosec // a place of ours
		return pair, nil, err
	}
	pair, err = tls.LoadX509KeyPair(certificate, key)
	return pair, chain, err
}
