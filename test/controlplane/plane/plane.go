// Package plane starts control planes for tests, with users that authenticate by token.
package plane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Options of a control plane.
type Options struct {
	// RuntimeConfig is the flag of that name. If it is empty, the default APIs of the release are served.
	RuntimeConfig string
	// Server is the path of another kube-apiserver than that of the assets, such as one of
	// [controlplane.BuildAPIServer]. It serves claims, whatever its release.
	Server string
	// Flags are additional flags of kube-apiserver.
	Flags map[string]string
	// Users that can authenticate. The token of each is its name.
	Users []User
	// Definitions are folders and files with custom resource definitions that are installed at start.
	Definitions []string
}

// WithoutClaims is the RuntimeConfig that leaves resource.k8s.io to custom resources.
const WithoutClaims = "resource.k8s.io/v1=false"

// User is a user that authenticates with a token.
type User struct {
	Name   string
	Groups []string
}

// Plane is a running control plane.
type Plane struct {
	// Config of a member of system:masters.
	Config *rest.Config

	folder      string
	environment *envtest.Environment
}

// timeout of starts and stops. A busy machine may need long.
const timeout = 3 * time.Minute

// Start starts a control plane. The caller must stop it, also after another error.
func Start(o Options) (*Plane, error) {
	folder, err := os.MkdirTemp("", "claimbridge-plane-")
	if err != nil {
		return nil, err
	}
	p := &Plane{folder: folder}
	users := filepath.Join(folder, "tokens.csv")
	p.environment = &envtest.Environment{
		CRDDirectoryPaths:        o.Definitions,
		ErrorIfCRDPathMissing:    true,
		ControlPlaneStartTimeout: timeout,
		ControlPlaneStopTimeout:  timeout,
	}
	server := p.environment.ControlPlane.GetAPIServer()
	server.Path = o.Server
	// A folder that outlives a stop keeps the certificates, so that clients find the same server again.
	server.CertDir = filepath.Join(folder, "apiserver")
	if err := errors.Join(os.Mkdir(server.CertDir, 0o700), os.WriteFile(users, tokens(o.Users), 0o600)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	flags := server.Configure().
		Set("token-auth-file", users).
		Set("authorization-mode", "Node,RBAC").
		Set("enable-admission-plugins", "NodeRestriction").
		Set("endpoint-reconciler-type", "none") // no client uses the endpoints of this server
	for name, value := range o.Flags {
		flags.Set(name, value)
	}
	if o.RuntimeConfig != "" {
		flags.Set("runtime-config", o.RuntimeConfig)
	}
	if o.Server != "" {
		flags.Set("feature-gates", "DynamicResourceAllocation=true") // off by default before 1.34
	}
	if p.Config, err = p.environment.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start a control plane: %w", err), p.Stop())
	}
	p.Config.Host = strings.TrimSuffix(p.Config.Host, "/")
	p.Config.QPS, p.Config.WarningHandler = -1, rest.NoWarnings{}
	return p, nil
}

// Etcd returns the URL of the plane's etcd, which needs no credentials.
func (p *Plane) Etcd() string { return p.environment.ControlPlane.Etcd.URL.String() }

// Restart restarts kube-apiserver with the same address, certificates and objects.
func (p *Plane) Restart() error {
	server := p.environment.ControlPlane.GetAPIServer()
	return errors.Join(server.Stop(), server.Start())
}

// Stop stops the control plane and removes its files.
func (p *Plane) Stop() error { return errors.Join(p.environment.Stop(), os.RemoveAll(p.folder)) }
