// Package plane starts a control plane with users by token.
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
	// RuntimeConfig is the flag of that name; empty for what a release serves by default.
	RuntimeConfig string
	// Server is the file of another kube-apiserver than that of the assets, such as
	// [controlplane.Server] gives. It serves claims, whatever its release.
	Server string
	// Flags of kube-apiserver beside those of every plane.
	Flags map[string]string
	// Users by token. The token of each is its name.
	Users []User
	// Definitions are folders and files with custom resource definitions that it starts with.
	Definitions []string
}

// WithoutClaims is the RuntimeConfig that leaves resource.k8s.io to custom resources.
const WithoutClaims = "resource.k8s.io/v1=false"

// User that a token stands for.
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

// The machine may be busy: patience costs nothing when it is not.
const patience = 3 * time.Minute

// Start a control plane. Stop it also when it is not needed any more because of another error.
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
		ControlPlaneStartTimeout: patience,
		ControlPlaneStopTimeout:  patience,
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
		Set("endpoint-reconciler-type", "none") // there are no endpoints of this server that anybody asks for
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

// Etcd is the address of the plane's etcd, which needs no credentials.
func (p *Plane) Etcd() string { return p.environment.ControlPlane.Etcd.URL.String() }

// Restart kube-apiserver: same address, same certificates, same objects.
func (p *Plane) Restart() error {
	server := p.environment.ControlPlane.GetAPIServer()
	return errors.Join(server.Stop(), server.Start())
}

// Stop the control plane and remove its files.
func (p *Plane) Stop() error { return errors.Join(p.environment.Stop(), os.RemoveAll(p.folder)) }
