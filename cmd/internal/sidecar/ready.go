package sidecar

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// Ready is the startup probe of a sidecar, which a kubelet cannot reach: it listens inside of the pod.
func Ready(folder string, port uint16) error {
	authority, err := os.ReadFile(filepath.Join(folder, ClientFolder, "ca.crt"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return errors.New("there is no certificate in ca.crt")
	}
	connection, err := tls.Dial("tcp", "127.0.0.1:"+strconv.Itoa(int(port)),
		&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})
	if err != nil {
		return err
	}
	return connection.Close()
}
