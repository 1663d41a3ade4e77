package sidecar

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// Probe returns an error unless the sidecar serves a certificate that can be verified with ca.crt. It is the command of
// a startup probe: a kubelet cannot connect to the sidecar, which listens only inside the pod.
func Probe(dir string, port uint16) error {
	ca, err := os.ReadFile(filepath.Join(dir, clientDir, "ca.crt"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return errors.New("there is no certificate in ca.crt")
	}
	connection, err := tls.Dial("tcp", "127.0.0.1:"+strconv.Itoa(int(port)),
		&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})
	if err != nil {
		return err
	}
	return connection.Close()
}
