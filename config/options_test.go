package config_test

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

func TestInvalidOptions(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("0", 64)
	tests := map[string]struct {
		config.Options
		want string // a part of the error, or "" if the options are valid
	}{
		"no group": {
			config.Options{},
			"group is required: use your own group, such as claims.example.com",
		},
		"no group for the monitor": {Options: config.Options{Only: config.MonitorPart}},
		"only a group":             {Options: config.Options{Group: "claims.example.com"}},
		"a group with a dot":       {Options: config.Options{Group: "a.b"}},
		"a group without a dot": {
			config.Options{Group: "claims"}, `group "claims": must be a domain name`,
		},
		"a group in capitals": {config.Options{Group: "Claims.example.com"}, "in lower case"},
		"a group with a version": {
			config.Options{Group: "claims.example.com/v1"},
			"must be a domain name",
		},
		"a group that ends with a dot": {config.Options{Group: "claims.example."}, "must be a domain name"},
		"any group":                    {config.Options{Group: "*"}, "must be a domain name"},
		"a group of two lines":         {config.Options{Group: "a.b\nc: d"}, "must be a domain name"},
		"the longest group":            {Options: config.Options{Group: strings.Repeat("a", 228) + ".b"}},
		"a group that is too long": {
			config.Options{Group: strings.Repeat("a", 229) + ".b"},
			"at most 230 characters",
		},
		"a namespace with a dot": {
			config.Options{Group: "a.b", Namespace: "a.b"},
			`namespace "a.b": must be a DNS label`,
		},
		"a namespace in capitals": {
			config.Options{Group: "a.b", Namespace: "A"},
			"must be a DNS label",
		},
		"a namespace that ends with -": {
			config.Options{Group: "a.b", Namespace: "a-"},
			"must be a DNS label",
		},
		"a namespace of two lines": {
			config.Options{Group: "a.b", Namespace: "a\nb"},
			"must be a DNS label",
		},
		"the longest namespace": {
			Options: config.Options{Group: "a.b", Namespace: strings.Repeat("a", 63)},
		},
		"a namespace that is too long": {
			config.Options{Group: "a.b", Namespace: strings.Repeat("a", 64)},
			"at most 63",
		},
		"the namespace of the control plane": {
			config.Options{Group: "a.b", Namespace: "kube-system"},
			"use a dedicated namespace",
		},
		"the default namespace": {
			config.Options{Group: "a.b", Namespace: "default"},
			"use a dedicated namespace",
		},
		"an image by tag": {
			Options: config.Options{Group: "a.b", Image: "ghcr.io/a/b-c__d.e:V1_2.3-x"},
		},
		"an image by digest": {
			Options: config.Options{Group: "a.b", Image: "localhost:5000/a" + digest},
		},
		"an image by tag and digest": {Options: config.Options{Group: "a.b", Image: "a:v1" + digest}},
		"an image with a space": {
			config.Options{Group: "a.b", Image: "a b"},
			`image "a b": must be the name of an image`,
		},
		"an image of two lines": {
			config.Options{Group: "a.b", Image: "a\n"},
			"must be the name of an image",
		},
		"an image in capitals": {
			config.Options{Group: "a.b", Image: "ghcr.io/A/b"},
			"in lower case",
		},
		"an image with an empty tag": {
			config.Options{Group: "a.b", Image: "a:"},
			"must be the name of an image",
		},
		"an image by half a digest": {
			config.Options{Group: "a.b", Image: "a@sha256:00"},
			"must be the name of an image",
		},
		"unknown source of certificates": {
			config.Options{Group: "a.b", Certificates: "vault"},
			`certificates "vault": must be one of cert-manager, self, files`,
		},
		"an admission policy with cert-manager": {
			config.Options{Group: "a.b", AdmissionPolicy: true},
			"an admission policy requires certificates=self",
		},
		"an admission policy with the server's certificates": {
			Options: config.Options{Group: "a.b", AdmissionPolicy: true, Certificates: config.Self},
		},
		"an unknown part": {
			config.Options{Group: "a.b", Only: "rbac"},
			`part "rbac": must be one of crds, roles, server, webhooks, monitor`,
		},
		"a release": {Options: config.Options{Group: "a.b", KubernetesRelease: "1.34"}},
		"a release with a patch level": {
			config.Options{Group: "a.b", KubernetesRelease: "1.34.2"},
			`release "1.34.2": must have the form 1.34`,
		},
		"a release of two lines": {
			config.Options{Group: "a.b", KubernetesRelease: "1.34\n"},
			"must have the form 1.34",
		},
		"an unknown version": {
			config.Options{Group: "a.b", Versions: []string{"v1", "v2"}},
			`version "v2": must be one of v1alpha1, v1alpha2, v1alpha3, v1beta1, v1beta2, v1`,
		},
		"two invalid options, the first":  {config.Options{Group: "a", Namespace: "B"}, `group "a"`},
		"two invalid options, the second": {config.Options{Group: "a", Namespace: "B"}, `namespace "B"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := config.Manifests(test.Options)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("want no error, got %v", err)
			case test.want != "" && err == nil:
				t.Error("want an error, got none")
			case test.want != "" && !strings.Contains(err.Error(), test.want):
				t.Errorf("want %q in the error, got %v", test.want, err)
			case err != nil && text != nil:
				t.Error("there are manifests in addition to the error")
			}
		})
	}
}
