package certs

import (
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestSetFromReadsBundles(t *testing.T) {
	bundle := base64.StdEncoding.EncodeToString(encodeCertificates(newTestCA(t, commonName, start, day).certificate))
	for name, test := range map[string]struct {
		object  string
		want    []string // webhook=certificates
		wantErr bool
	}{
		"a CRD that calls a webhook": {
			`{"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"PEM"}}}}}`,
			[]string{"=1"},
			false,
		},
		"a CRD without a bundle": {
			`{"spec":{"conversion":{"strategy":"Webhook"}}}`,
			[]string{"=0"},
			false,
		},
		"a CRD that calls no webhook": {
			`{"spec":{"conversion":{"strategy":"None","webhook":{"clientConfig":{"caBundle":"PEM"}}}}}`,
			nil,
			false,
		},
		"a CRD whose bundle is not base64": {
			`{"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"-"}}}}}`,
			nil,
			true,
		},
		"a configuration": {
			`{"webhooks":[{"name":"a","clientConfig":{"caBundle":"PEM"}},{"name":"b"}]}`,
			[]string{"a=1", "b=0"},
			false,
		},
		"a configuration whose webhooks are not a list": {`{"webhooks":{}}`, nil, true},
		"a configuration whose last bundle is not base64": {
			`{"webhooks":[{"name":"a"},{"name":"b","clientConfig":{"caBundle":"-"}}]}`,
			nil,
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newTestObject()
			o.setFrom(&unstructured.Unstructured{
				Object: parsed(t, "%s", strings.ReplaceAll(test.object, "PEM", bundle)),
			}, nil)
			if (o.err != nil) != test.wantErr {
				t.Fatal(o.err)
			}
			var got []string
			for _, b := range o.bundles {
				got = append(got, fmt.Sprintf("%s=%d", b.webhook, len(b.certificates)))
			}
			if diff := cmp.Diff(test.want, got); !test.wantErr && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Nothing is published to an object that could not be read, or that already has the certificates.
func TestPublishWritesMissingCertificates(t *testing.T) {
	one := newTestCA(t, commonName, start, 365*day).certificate
	for name, test := range map[string]struct {
		object *caBundleObject
		wrote  bool
	}{
		"a missing certificate": {
			&caBundleObject{resource: customResourceDefinitions, name: "x", resourceVersion: "2", bundles: []bundle{{}}},
			true,
		},
		"a complete bundle": {newTestObject(one), false},
		"an unreadable object": {
			&caBundleObject{
				resource: customResourceDefinitions, name: "x", resourceVersion: "2", bundles: []bundle{{}},
				err: errors.New("forbidden"),
			},
			false,
		},
		"no bundle": {
			&caBundleObject{resource: customResourceDefinitions, name: "x", resourceVersion: "2"},
			false,
		},
		"a concurrent write": {
			&caBundleObject{resource: customResourceDefinitions, name: "x", resourceVersion: "1", bundles: []bundle{{}}},
			false,
		},
		"one of two webhooks": {
			&caBundleObject{
				resource:        validatingWebhookConfigurations,
				name:            "hooks",
				resourceVersion: "3",
				bundles:         []bundle{{"one", []*x509.Certificate{one}}, {"two", nil}},
			},
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			shared, server := newTestShared(t)
			wrote := test.object.publish(t.Context(), shared.dynamic, []*x509.Certificate{one}, nil, start)
			if wrote != test.wrote {
				t.Fatalf("wrote: %v", wrote)
			}
			if last := len(test.object.bundles) - 1; wrote && !holds(test.object.bundles[last].certificates, one) {
				t.Errorf("the bundle contains %v", test.object.bundles[last].certificates)
			}
			if name == "one of two webhooks" {
				hooks := server.objects[validatesPath]["webhooks"].([]any)
				if len(hooks[0].(map[string]any)["clientConfig"].(map[string]any)) != 0 ||
					len(hooks[1].(map[string]any)["clientConfig"].(map[string]any)) != 1 {
					t.Errorf("the webhooks are %v", hooks)
				}
			}
		})
	}
}

// Clients trust valid certificates in any bundle. An unreadable object may contain any certificates.
func TestUnknownCAsAndAnyHolds(t *testing.T) {
	own := newTestCA(t, commonName, start, day).certificate
	foreign := newTestCA(t, "of another issuer", start, 365*day).certificate
	unreadable := &caBundleObject{err: errors.New("forbidden")}
	both := caBundleObjects{newTestObject(own, foreign), newTestObject(own)}
	if got := both.unknownCAs(state{}, start); len(got) != 1 || !got[0].Equal(own) {
		t.Errorf("unknownCAs: %d", len(got))
	}
	if got := (caBundleObjects{newTestObject(own)}).unknownCAs(state{}, start.Add(day)); len(got) != 0 {
		t.Error("an expired CA is reported as unknown")
	}
	retiring := state{retiring: []*x509.Certificate{own}}
	if got := (caBundleObjects{newTestObject(own)}).unknownCAs(retiring, start); len(got) != 0 {
		t.Error("a retiring CA is reported as unknown")
	}
	if !(caBundleObjects{newTestObject(), unreadable}).anyHolds([]*x509.Certificate{own}) ||
		(caBundleObjects{newTestObject(foreign)}).anyHolds([]*x509.Certificate{own}) {
		t.Error("anyHolds must be true for an unreadable object, and false for another certificate")
	}
}
