package convert

import (
	"strings"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

func TestPathsOfOtherVersions(t *testing.T) {
	for name, test := range map[string]struct {
		path, to, want string // part of what is said, empty for nothing
	}{
		"of a request, in v1":               {"/spec/devices/requests/0/deviceClassName", "v1", "stands in exactly"},
		"of a template's request, in v1":    {"/spec/spec/devices/requests/0/count", "v1", "stands in exactly"},
		"of a request, in v1beta1":          {"/spec/devices/requests/0/deviceClassName", "v1beta1", ""},
		"of exactly, in v1":                 {"/spec/devices/requests/0/exactly/count", "v1", ""},
		"of exactly, in v1alpha3":           {"/spec/devices/requests/0/exactly/count", "v1alpha3", "came with v1beta2"},
		"a request's name":                  {"/spec/devices/requests/0/name", "v1", ""},
		"a whole request":                   {"/spec/devices/requests/0", "v1", ""},
		"of an alternative":                 {"/spec/devices/requests/0/firstAvailable/0/deviceClassName", "v1", ""},
		"a class, in v1":                    {"/spec/resourceClassName", "v1", "is gone"},
		"a template's class, in v1":         {"/spec/spec/resourceClassName", "v1", "is gone"},
		"parameters, in v1alpha3":           {"/spec/parametersRef/name", "v1alpha3", "is gone"},
		"a class, in v1alpha2":              {"/spec/resourceClassName", "v1alpha2", ""},
		"a class of something else":         {"/data/resourceClassName", "v1", ""},
		"devices, in v1alpha2":              {"/spec/devices/requests/0/deviceClassName", "v1alpha2", "came with v1alpha3"},
		"a pod's source, in v1":             {"/spec/template/spec/resourceClaims/0/source/resourceClaimName", "v1", "is gone since Kubernetes 1.31"},
		"a pod's name of a claim, in v1":    {"/spec/resourceClaims/0/resourceClaimName", "v1", ""},
		"a pod's name of a claim, formerly": {"/spec/resourceClaims/0/resourceClaimTemplateName", "v1alpha2", "below source"},
		"a label":                           {"/metadata/labels/a", "v1", ""},
		"nothing":                           {"", "v1", ""},
	} {
		got := movedPath(strings.Split(test.path, "/"), test.to)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestExpressionsThatReadMovedFields(t *testing.T) {
	for name, test := range map[string]struct{ expression, to, want string }{
		"a class of a request, in v1":      {"object.spec.devices.requests.all(r, r.deviceClassName == 'a')", "v1", "reads deviceClassName"},
		"admin access, in v1beta2":         {"requests.exists(r, has(r.adminAccess))", "v1beta2", "reads adminAccess"},
		"the same, in v1beta1":             {"requests.exists(r, has(r.adminAccess))", "v1beta1", ""},
		"one that knows both":              {"has(r.exactly) ? r.exactly.deviceClassName : r.deviceClassName", "v1", ""},
		"one that knows both, formerly":    {"has(r.exactly) ? r.exactly.deviceClassName : r.deviceClassName", "v1beta1", ""},
		"alternatives":                     {"r.firstAvailable.all(s, s.deviceClassName == 'a')", "v1", ""},
		"exactly, in v1alpha3":             {"r.exactly.count > 1", "v1alpha3", "reads exactly"},
		"a classic class, in v1":           {"object.spec.resourceClassName == 'a'", "v1", "reads resourceClassName"},
		"a classic class, in v1alpha2":     {"object.spec.resourceClassName == 'a'", "v1alpha2", ""},
		"devices, in v1alpha2":             {"object.spec.devices.requests.size() == 1", "v1alpha2", "reads spec.devices"},
		"something of this name in a word": {"object.metadata.name == 'my-deviceClassName'", "v1", ""},
		"by index":                         {"object.spec.devices.requests[0].count <= 4", "v1", "reads count"},
		"filtered":                         {"requests.filter(r, r.name == 'a').all(q, q.selectors.size() == 1)", "v1", "reads selectors"},
		"optional requests":                {"object.spec.?devices.?requests.orValue([]).all(r, !has(r.count))", "v1", "reads count"},
		"beside one of exactly":            {"requests.all(r, r.exactly.deviceClassName == 'a' && r.count <= 4)", "v1", "reads count"},
		"beside an alternative":            {"requests.all(r, has(r.firstAvailable) ? r.firstAvailable.all(s, s.count < 4) : r.count < 4)", "v1", "reads count"},
		"the one or the other":             {"requests.all(r, r.exactly.count <= 4 || r.count <= 4)", "v1", ""},
		"optional exactly":                 {"requests.all(r, r.?exactly.?count.orValue(1) <= 4 && r.?count.orValue(1) <= 4)", "v1", ""},
		"of what exactly is":               {"requests.map(r, r.exactly).all(e, e.count <= 4)", "v1", ""},
		"of a device":                      {"device.capacity['a'].memory.isGreaterThan(quantity('1Gi'))", "v1", ""},
		"of a slice's devices":             {"object.spec.devices.all(d, has(d.capacity) && d.capacity.size() < 4)", "v1", ""},
		"of what was allocated":            {"object.status.allocation.devices.results.all(r, !has(r.adminAccess) && !has(r.tolerations))", "v1", ""},
		"of a pod":                         {"object.spec.tolerations.all(t, t.key == 'a') && object.spec.containers.all(c, has(c.resources.requests))", "v1", ""},
	} {
		got := movedInExpression(test.expression, test.to)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	for _, field := range v1.FieldsOfExactly() {
		for _, read := range []string{"r." + field, "r.?" + field, `r["` + field + `"]`, "r[?'" + field + "']"} {
			if got := movedInExpression("object.spec.devices.requests.all(r, "+read+" == x)", "v1"); !strings.HasPrefix(got, "reads "+field+" of a request") {
				t.Errorf("%s: %q", read, got)
			}
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
