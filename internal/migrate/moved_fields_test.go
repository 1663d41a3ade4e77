package migrate

import (
	"strings"
	"testing"
)

func TestPathsOfOtherVersions(t *testing.T) {
	for name, test := range map[string]struct {
		path, to, want string // part of the reason, or empty if the version has the path
	}{
		"of a request, in v1":            {"/spec/devices/requests/0/deviceClassName", "v1", "is in `exactly`"},
		"of a template's request, in v1": {"/spec/spec/devices/requests/0/count", "v1", "is in `exactly`"},
		"of a request, in v1beta1":       {"/spec/devices/requests/0/deviceClassName", "v1beta1", ""},
		"of `exactly`, in v1":            {"/spec/devices/requests/0/exactly/count", "v1", ""},
		"of `exactly`, in v1alpha3": {
			"/spec/devices/requests/0/exactly/count", "v1alpha3", "was added in v1beta2",
		},
		"a request's name":          {"/spec/devices/requests/0/name", "v1", ""},
		"a whole request":           {"/spec/devices/requests/0", "v1", ""},
		"of an alternative":         {"/spec/devices/requests/0/firstAvailable/0/deviceClassName", "v1", ""},
		"a class, in v1":            {"/spec/resourceClassName", "v1", "was removed"},
		"a template's class, in v1": {"/spec/spec/resourceClassName", "v1", "was removed"},
		"parameters, in v1alpha3":   {"/spec/parametersRef/name", "v1alpha3", "was removed"},
		"a class, in v1alpha2":      {"/spec/resourceClassName", "v1alpha2", ""},
		"a class of something else": {"/data/resourceClassName", "v1", ""},
		"devices, in v1alpha2": {
			"/spec/devices/requests/0/deviceClassName",
			"v1alpha2",
			"was added in v1alpha3",
		},
		"a pod's location, in v1": {
			"/spec/template/spec/resourceClaims/0/source/resourceClaimName",
			"v1",
			"was removed in Kubernetes 1.31",
		},
		"a pod's name of a claim, in v1": {"/spec/resourceClaims/0/resourceClaimName", "v1", ""},
		"a pod's name of a claim, formerly": {
			"/spec/resourceClaims/0/resourceClaimTemplateName",
			"v1alpha2",
			"below source",
		},
		"a label": {"/metadata/labels/a", "v1", ""},
		"nothing": {"", "v1", ""},
	} {
		got := movedReason(strings.Split(test.path, "/"), test.to)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestVersionsThatATextNames(t *testing.T) {
	for text, want := range map[string]string{
		"resource.k8s.io/v1beta1":                  "v1beta1",
		"apiVersion: resource.k8s.io/v1":           "v1",
		"--runtime-config=resource.k8s.io/v1beta2": "v1beta2",
		"resourceclaims.v1beta1.resource.k8s.io":   "v1beta1",
		"resource.k8s.io/v1x":                      "",
		"my-resource.k8s.iox/v1":                   "",
		"resource.k8s.io":                          "",
		"networking.k8s.io/v1beta1":                "",
	} {
		var got string
		for _, named := range versionsIn([]byte(text)) {
			got += named.version
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
