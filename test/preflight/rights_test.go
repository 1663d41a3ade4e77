package preflight

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// rights of the server, which makes the checks that need no more than this.
const rights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: claimbridge-preflight}
rules:
- apiGroups: [apiregistration.k8s.io]
  resources: [apiservices]
  verbs: [list]
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  resourceNames: [resourceclaims.resource.k8s.io, resourceclaimtemplates.resource.k8s.io]
  verbs: [get]
- apiGroups: [admissionregistration.k8s.io]
  resources: [validatingwebhookconfigurations, mutatingwebhookconfigurations]
  resourceNames: [claimbridge]
  verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: claimbridge-preflight}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: claimbridge-preflight}
subjects: [{kind: User, name: server}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {namespace: claimbridge-system, name: claimbridge-preflight}
rules:
- apiGroups: [""]
  resources: [services]
  resourceNames: [claimbridge]
  verbs: [get]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list]
- apiGroups: [apps]
  resources: [deployments]
  resourceNames: [claimbridge]
  verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: claimbridge-system, name: claimbridge-preflight}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: claimbridge-preflight}
subjects: [{kind: User, name: server}]
`

// notInBackground is what `claimbridge serve` leaves out.
var notInBackground = []string{"claims-can-be-read", "certificate-secret-is-filled", "claimbridge-is-installed"}

func user(t *testing.T, env *envtest.Environment, name string) *rest.Config {
	t.Helper()
	added, err := env.AddUser(envtest.User{Name: name}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return added.Config()
}

// Who may read nothing is told so, and never that all is well.
func (i *installation) expectUnknown(t *testing.T, nobody *rest.Config) {
	t.Helper()
	results, err := preflight.Run(t.Context(), nobody, preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.State() != "unknown" {
			t.Errorf("%s is %s for somebody who may read nothing: %v", r.Check.Name, r.State(), r.Findings)
		}
		for _, f := range r.Findings {
			if !strings.HasPrefix(f.What, "could not look, which needs ") || !strings.Contains(f.What, `User "nobody" cannot `) || !strings.HasPrefix(f.Remedy, "allow ") {
				t.Errorf("%s: %s: %s", r.Check.Name, f.What, f.Remedy)
			}
		}
	}
}

// The server's own rights are enough for what it looks at.
func (i *installation) expectEnough(t *testing.T, server *rest.Config) {
	t.Helper()
	served := func(context.Context) (chain []*x509.Certificate, err error) {
		block, _ := pem.Decode(i.certificate)
		certificate, err := x509.ParseCertificate(block.Bytes)
		return []*x509.Certificate{certificate}, err
	}
	results, err := preflight.Run(t.Context(), server, preflight.Options{Skip: notInBackground, Served: served})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(preflight.Checks)-len(notInBackground) {
		t.Errorf("%d results", len(results))
	}
	for _, r := range results {
		if slices.Contains(notInBackground, r.Check.Name) || r.State() != "ok" {
			t.Errorf("%s: %s: %v", r.Check.Name, r.State(), r.Findings)
		}
	}
}
