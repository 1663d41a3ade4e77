package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/inject"
)

// newProxyReadyCommand is the startup probe of the sidecar, which a kubelet cannot reach: it listens inside of the pod.
func newProxyReadyCommand() *cobra.Command {
	var folder string
	var port uint16
	cmd := &cobra.Command{
		Use:   "ready --in-cluster FOLDER",
		Short: "Tell whether the sidecar serves, as a startup probe",
		Args:  cobra.NoArgs,
		RunE: begin(func(cmd *cobra.Command) error {
			authority, err := os.ReadFile(filepath.Join(folder, inject.ClientFolder, "ca.crt"))
			if err != nil {
				return err
			}
			roots := x509.NewCertPool()
			if !roots.AppendCertsFromPEM(authority) {
				return errors.New("there is no certificate in ca.crt")
			}
			dialer := &tls.Dialer{Config: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
			connection, err := dialer.DialContext(cmd.Context(), "tcp", "127.0.0.1:"+strconv.Itoa(int(port)))
			if err != nil {
				return err
			}
			return connection.Close()
		}),
	}
	cmd.Flags().StringVar(&folder, "in-cluster", "", "folder of the sidecar")
	cmd.Flags().Uint16Var(&port, "port", 8001, "port of the sidecar")
	return cmd
}
