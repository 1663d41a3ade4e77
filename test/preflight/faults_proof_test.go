//go:build e2e

package preflight

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// proofFaults are seen by nobody who only looks at objects: a write, or a read, has to be tried.
var proofFaults = map[string]fault{
	"a claim that does not convert, on the second page": {
		make: func(t *testing.T, i *installation) {
			const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default","name":"%s","uid":"7b1f0b9e-3c1e-4a83-9a5a-2a2f6f1a3d10","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"devices":{"requests":[{"name":%s,"exactly":{"deviceClassName":"gpu.example.com"}}]}}}`
			var many []string
			for n := range 501 {
				many = append(many, fmt.Sprintf("many-%03d", n))
			}
			i.store(t, many, fmt.Sprintf(claim, "%s", `"gpu"`))
			i.store(t, []string{"poison"}, fmt.Sprintf(claim, "%s", "1"))
		},
		want: slices.Repeat([]string{"problem claims-can-be-read ResourceClaim default/poison"}, 2), // in all versions but the one that is stored
		says: "cannot be read in v1alpha1: conversion webhook for resource.k8s.io/v1, Kind=ResourceClaim failed: ",
		left: "a person has to mend the claim, in an editor",
	},
	"endpoints of another server": {
		make: func(t *testing.T, i *installation) {
			other := newAuthority(t, fresh)
			i.moveTo(t, i.answering(t, other, dnsName, nil))
		},
		want: []string{"problem claims-can-be-written" + service},
		says: "x509: certificate signed by unknown authority",
		left: "pods are made by a cluster",
	},
	"endpoints where nobody listens": {
		make: func(t *testing.T, i *installation) {
			nobody, err := net.Listen("tcp", net.JoinHostPort(machine(t), "0"))
			if err != nil {
				t.Fatal(err)
			}
			_ = nobody.Close()
			i.moveTo(t, nobody.Addr().(*net.TCPAddr))
		},
		want: []string{"problem claims-can-be-written" + service},
		says: "connect: connection refused, so claims cannot be written in",
		left: "pods are made by a cluster",
	},
	"an address that cannot be reached, and nothing is stored": {
		make: func(t *testing.T, i *installation) {
			i.forget(t)
			i.change(t, theJudge, func() { theJudge.Webhooks[0].TimeoutSeconds = ptr.To(int32(3)) })
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].TimeoutSeconds = ptr.To(int32(3)) })
			i.moveTo(t, &net.TCPAddr{IP: net.IPv4(198, 51, 100, 1), Port: 9443})
		},
		want: []string{
			"problem claims-can-be-written" + service,
			"warning objects-are-of-this-release" + defaulter, "warning objects-are-of-this-release" + judge,
		},
		says: "the API server cannot call it: ",
		left: "the network is not the API server's to mend",
	},
	"endpoints of a server of another group": {
		make: func(t *testing.T, i *installation) {
			other := *i
			other.group = "claims.example.com"
			var key []byte
			other.certificate, key = i.authority.leaf(t, fresh, dnsName, machine(t))
			i.moveTo(t, other.serve(t, key))
		},
		want: []string{"problem claims-can-be-written" + service},
		says: "a server of another group answers: ",
		left: "pods are made by a cluster",
	},
	"a Service that is a name for something elsewhere": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theService, func() {
				theService.Spec = corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"}
			})
			i.reconnect(t)
		},
		want: []string{"problem claims-can-be-written" + service},
		says: "its Service is of type ExternalName and leads to localhost instead of the pods: delete it, and apply the server again",
	},
	"a server that says yes to everything": {
		make: func(t *testing.T, i *installation) {
			yes := i.answering(t, i.authority, machine(t), yes)
			i.change(t, theJudge, func() {
				config := &theJudge.Webhooks[0].ClientConfig
				config.Service, config.URL = nil, ptr.To("https://"+yes.String()+"/validate")
			})
			i.change(t, theDefaulter, func() {
				config := &theDefaulter.Webhooks[0].ClientConfig
				config.Service, config.URL = nil, ptr.To("https://"+yes.String()+"/default")
			})
		},
		want: []string{"problem claims-can-be-written" + defaulter, "problem claims-can-be-written" + judge},
		says: `a claim of the class "Not/A_Class" is created in v1, v1alpha1, v1alpha2`,
	},
	"quota for claims": {
		make: func(t *testing.T, i *installation) {
			i.acceptedAfter(t)
			i.create(t, `
apiVersion: v1
kind: ResourceQuota
metadata: {namespace: default, name: none}
spec: {hard: {count/resourceclaims.resource.k8s.io: "0"}}
`)
			quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "none"}}
			i.status(t, quota, func() { quota.Status = corev1.ResourceQuotaStatus{Hard: quota.Spec.Hard, Used: quota.Spec.Hard} })
			i.refused(t, "exceeded quota")
		},
		want: []string{"problem claims-can-be-written ResourceQuota default/none"},
		says: "exceeded quota: none",
		left: "how many claims there may be is for its owner to say",
	},
	"a policy that denies claims": {
		make: func(t *testing.T, i *installation) {
			i.acceptedAfter(t)
			i.create(t, `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-claims}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [resourceclaims]}]}
  validations: [{expression: "false", message: not here}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: no-claims, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: nobody-bound-it}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [resourceclaims]}]}
  validations: [{expression: "false", message: not here}]
`)
			i.refused(t, "not here")
		},
		want: []string{"problem claims-can-be-written ValidatingAdmissionPolicy no-claims"},
		says: "'no-claims' with binding 'everywhere' denied request: not here",
		left: "whether claims may be created is for its owner to say",
	},
	"a webhook of somebody else that cannot be called": {
		make: func(t *testing.T, i *installation) {
			i.acceptedAfter(t)
			i.create(t, foreign(`url: "https://127.0.0.1:1/"`))
			i.refused(t, "other.example.com")
		},
		want: []string{"problem claims-can-be-written admission webhook other.example.com"},
		says: `failed calling webhook "other.example.com"`,
		left: "whether it may go is for its owner to say",
	},
	"a webhook of somebody else that says no": {
		make: func(t *testing.T, i *installation) {
			address := i.answering(t, i.authority, machine(t), no)
			i.acceptedAfter(t)
			i.create(t, foreign(fmt.Sprintf(`{url: "https://%s/", caBundle: %s}`, address, encoded(i.authority.pem))))
			i.refused(t, "no, no")
		},
		want: []string{"problem claims-can-be-written admission webhook other.example.com"},
		says: `admission webhook "other.example.com" denied the request: no, no`,
		left: "whether claims may be created is for its owner to say",
	},
}

func encoded(bytes []byte) string {
	text, _ := json.Marshal(bytes)
	return string(text)
}

// foreign webhook on claims.
func foreign(config string) string {
	return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: other}
webhooks:
- name: other.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{apiGroups: [resource.k8s.io], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
  clientConfig: ` + map[bool]string{true: config, false: "{" + config + "}"}[config[0] == '{'] + "\n"
}

// refused is a claim from now on: an API server needs a moment for its policies and webhooks.
func (i *installation) refused(t *testing.T, want string) {
	t.Helper()
	i.eventually(t, "be refused", func() error {
		if err := i.try(); err == nil || !strings.Contains(err.Error(), want) {
			return fmt.Errorf("not by %q: %w", want, errNotYet)
		}
		return nil
	})
}

// acceptedAfter what is created next is gone.
func (i *installation) acceptedAfter(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { i.eventually(t, "accept a claim", i.try) })
}

// try to create a claim.
func (i *installation) try() error {
	claim := i.objects[len(i.objects)-2].DeepCopyObject().(client.Object)
	claim.SetName("try")
	return i.Create(context.Background(), claim, client.DryRunAll)
}

// moveTo another address, over new connections: API servers keep those that they have.
func (i *installation) moveTo(t *testing.T, address *net.TCPAddr) {
	t.Helper()
	i.change(t, theEndpoints, func() {
		theEndpoints.Endpoints[0].Addresses = []string{address.IP.String()}
		theEndpoints.Ports = []discoveryv1.EndpointPort{{Name: ptr.To("webhook"), Port: ptr.To(int32(address.Port)), Protocol: ptr.To(corev1.ProtocolTCP)}}
	})
	i.reconnect(t)
}

// reconnect by another bundle, with which an API server makes a new client.
func (i *installation) reconnect(t *testing.T) {
	t.Helper()
	bundle := bytes.Join([][]byte{i.authority.pem, newAuthority(t, fresh).pem}, nil)
	i.change(t, theJudge, func() { theJudge.Webhooks[0].ClientConfig.CABundle = bundle })
	i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].ClientConfig.CABundle = bundle })
	i.change(t, theDefinition, func() { theDefinition.Spec.Conversion.Webhook.ClientConfig.CABundle = bundle })
	i.change(t, theTemplates, func() { theTemplates.Spec.Conversion.Webhook.ClientConfig.CABundle = bundle })
}

// answering server, with a certificate for a name.
func (i *installation) answering(t *testing.T, ca *authority, name string, answer http.HandlerFunc) *net.TCPAddr {
	t.Helper()
	certificate, key := ca.leaf(t, fresh, name)
	pair := must.Get(tls.X509KeyPair(certificate, key))(t)
	listener := must.Get(net.Listen("tcp", net.JoinHostPort(machine(t), "0")))(t)
	server := httptest.NewUnstartedServer(answer)
	_ = server.Listener.Close()
	server.Listener, server.TLS = listener, &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return listener.Addr().(*net.TCPAddr)
}

func yes(w http.ResponseWriter, r *http.Request) {
	review(w, r, &admissionv1.AdmissionResponse{Allowed: true})
}

func no(w http.ResponseWriter, r *http.Request) {
	review(w, r, &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: "no, no"}})
}

func review(w http.ResponseWriter, r *http.Request, response *admissionv1.AdmissionResponse) {
	var review admissionv1.AdmissionReview
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response.UID = review.Request.UID
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}
