package review

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gomodules.xyz/jsonpatch/v2"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// defaultsOf returns the defaults of a write of an object of a version, as an API server requests them.
func defaultsOf(version, operation, kind, object string) string {
	body := strings.ReplaceAll(reviews.Admission(operation, "", object, "null"), `"version":"v1alpha2"`,
		`"version":"`+version+`"`)
	if kind == "ResourceClaimTemplate" {
		body = strings.NewReplacer(`"kind":"ResourceClaim"}`, `"kind":"ResourceClaimTemplate"}`, `"resourceclaims"`,
			`"resourceclaimtemplates"`).Replace(body)
	}
	return body
}

func TestDefaultsMatchKubernetes(t *testing.T) {
	add := func(path string, value any) jsonpatch.Operation { return jsonpatch.NewOperation("add", path, value) }
	const requests = "/spec/devices/requests/"
	tests := map[string]struct {
		version, kind, object string // v1alpha3, and a claim, when there is none
		want                  []jsonpatch.Operation
	}{
		"a request without a count gets 1": {
			object: `{"spec":{"devices":{"requests":[{"name":"a","allocationMode":"ExactCount"}]}}}`,
			want:   []jsonpatch.Operation{add(requests+"0/count", 1.0)},
		},
		"a count of 0": {
			object: `{"spec":{"devices":{"requests":[{"name":"a","allocationMode":"ExactCount","count":0}]}}}`,
			want:   []jsonpatch.Operation{add(requests+"0/count", 1.0)},
		},
		"without a schema there may be no mode either": {
			object: `{"spec":{"devices":{"requests":[{"name":"a"},{"name":"b","count":2},{"name":"c",` +
				`"allocationMode":""}]}}}`,
			want: []jsonpatch.Operation{
				add(requests+"0/allocationMode", "ExactCount"),
				add(requests+"0/count", 1.0),
				add(requests+"1/allocationMode", "ExactCount"),
				add(requests+"2/allocationMode", "ExactCount"), add(requests+"2/count", 1.0),
			},
		},
		"all devices have no count": {
			object: `{"spec":{"devices":{"requests":[{"name":"a","allocationMode":"All"}]}}}`,
		},
		"only what is missing is set": {
			object: `{"spec":{"devices":{"requests":[{"allocationMode":"ExactCount","count":2},` +
				`{"allocationMode":"All"},{"allocationMode":"ExactCount"}]}}}`,
			want: []jsonpatch.Operation{add(requests+"2/count", 1.0)},
		},
		"a template's claims get them from the template": {
			kind: "ResourceClaimTemplate",
			object: `{"spec":{"metadata":{"labels":{"a":"b"}},"spec":{"devices":{"requests":[{"name":"a",` +
				`"allocationMode":"ExactCount"}]}}}}`,
			want: []jsonpatch.Operation{add("/spec/spec/devices/requests/0/count", 1.0)},
		},
		"a claim is no template": {object: `{"spec":{"spec":{"devices":{"requests":[{"name":"a"}]}}}}`},
		"a template is no claim": {
			kind:   "ResourceClaimTemplate",
			object: `{"spec":{"devices":{"requests":[{"name":"a"}]}}}`,
		},
		"names are case-sensitive":      {object: `{"spec":{"devices":{"Requests":[{"name":"a"}]}}}`},
		"an unknown mode is for a rule": {object: `{"spec":{"devices":{"requests":[{"allocationMode":"Some"}]}}}`},
		"a negative count is for a rule": {
			object: `{"spec":{"devices":{"requests":[{"allocationMode":"ExactCount","count":-1}]}}}`,
		},
		"a null is for the schema": {
			object: `{"spec":{"devices":{"requests":[null,{"allocationMode":"ExactCount"}]}}}`,
			want:   []jsonpatch.Operation{add(requests+"1/count", 1.0)},
		},
		"a request of the wrong type is for the schema": {object: `{"spec":{"devices":{"requests":[7,{}]}}}`},
		"a count of the wrong type is for the schema":   {object: `{"spec":{"devices":{"requests":[{"count":"1"}]}}}`},
		"too many requests are for a rule": {
			object: `{"spec":{"devices":{"requests":[{}` + strings.Repeat(",{}", 32) + `]}}}`,
		},
		"an alternative of v1alpha3 is completed, and the request without a class is not": {
			object: `{"spec":{"devices":{"requests":[{"name":"a","firstAvailable":[{"name":"b"},null,{"name":"c",` +
				`"allocationMode":"All"}]}]}}}`,
			want: []jsonpatch.Operation{
				add(requests+"0/firstAvailable/0/allocationMode", "ExactCount"),
				add(requests+"0/firstAvailable/0/count", 1.0),
			},
		},
		"a request of v1beta1 needs a class": {
			version: "v1beta1",
			object:  `{"spec":{"devices":{"requests":[{"name":"a"},{"name":"b","deviceClassName":"c"}]}}}`,
			want:    []jsonpatch.Operation{add(requests+"1/allocationMode", "ExactCount"), add(requests+"1/count", 1.0)},
		},
		"an alternative of v1beta1": {
			version: "v1beta1",
			object: `{"spec":{"devices":{"requests":[{"name":"a","firstAvailable":[{"name":"b",` +
				`"allocationMode":"ExactCount"}]}]}}}`,
			want: []jsonpatch.Operation{add(requests+"0/firstAvailable/0/count", 1.0)},
		},
		"an exact request of v1beta2": {
			version: "v1beta2",
			object: `{"spec":{"devices":{"requests":[{"name":"a","exactly":{"allocationMode":"ExactCount"}},` +
				`{"name":"b","exactly":{}}]}}}`,
			want: []jsonpatch.Operation{
				add(requests+"0/exactly/count", 1.0),
				add(requests+"1/exactly/allocationMode", "ExactCount"),
				add(requests+"1/exactly/count", 1.0),
			},
		},
		"a request of v1 that is not exact has nothing to complete but its alternatives": {
			version: "v1", kind: "ResourceClaimTemplate",
			object: `{"spec":{"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"c"},{"exactly":null},` +
				`{"firstAvailable":[{},{"count":2}]}]}}}}`,
			want: []jsonpatch.Operation{
				add("/spec/spec/devices/requests/2/firstAvailable/0/allocationMode", "ExactCount"),
				add("/spec/spec/devices/requests/2/firstAvailable/0/count", 1.0),
				add("/spec/spec/devices/requests/2/firstAvailable/1/allocationMode", "ExactCount"),
			},
		},
		"too many alternatives are for a rule": {
			version: "v1",
			object:  `{"spec":{"devices":{"requests":[{"firstAvailable":[{}` + strings.Repeat(",{}", 8) + `]}]}}}`,
		},
		"a claim of nothing":  {object: `{"metadata":{"name":"a"}}`},
		"a spec that is null": {object: `{"spec":null}`},
		"no object":           {object: `null`},
	}
	s := newServer(t, Options{})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.version == "" {
				test.version = "v1alpha3"
			}
			for _, operation := range []string{"CREATE", "UPDATE"} {
				response := reviews.DecodeAdmission(t,
					serve(s,
						reviews.NewRequest("/default", defaultsOf(test.version, operation, test.kind, test.object)))).Response
				if !response.Allowed || response.UID != "the-uid" {
					t.Fatalf("%+v", response)
				}
				if diff := cmp.Diff(test.want, patchOf(t, response)); diff != "" {
					t.Errorf("%s: patch (-want +got):\n%s", operation, diff)
				}
			}
		})
	}
}

// patchOf returns the patch of a response. A type without a patch is an error for an API server.
func patchOf(t testing.TB, response *admissionv1.AdmissionResponse) []jsonpatch.Operation {
	t.Helper()
	if (len(response.Patch) > 0) != (response.PatchType != nil) {
		t.Fatalf("patch %s of type %v", response.Patch, response.PatchType)
	}
	if len(response.Patch) == 0 {
		return nil
	}
	if *response.PatchType != admissionv1.PatchTypeJSONPatch {
		t.Errorf("patch type %s", *response.PatchType)
	}
	return reviews.Decode[[]jsonpatch.Operation](t, string(response.Patch))
}

// An object that needs no defaults is allowed unchanged. Other resources are rejected, as by /validate.
func TestDefaultsAreForSpecs(t *testing.T) {
	bare := `{"spec":{"devices":{"requests":[{"name":"a"}]}}}`
	tests := map[string]struct {
		body    string
		message string
	}{
		"a status write": {
			body: strings.Replace(defaultsOf("v1alpha3", "UPDATE", "", bare), `"subResource":""`,
				`"subResource":"status"`, 1),
		},
		"a delete":         {body: defaultsOf("v1alpha3", "DELETE", "", bare)},
		"an older version": {body: reviews.Admission("CREATE", "", bare, "null")},
		"another kind": {
			body:    strings.ReplaceAll(defaultsOf("v1alpha3", "CREATE", "", bare), "ResourceClaim", "Pod"),
			message: "narrow the rules of the MutatingWebhookConfiguration",
		},
		"another version": {
			body:    strings.ReplaceAll(defaultsOf("v1alpha3", "CREATE", "", bare), "v1alpha3", "v2"),
			message: `version "v2"`,
		},
		"a group not served": {
			body: strings.ReplaceAll(defaultsOf("v1alpha3", "CREATE", "", bare), `"resource.k8s.io"`,
				`"claims.example.com"`),
			message: "--group=claims.example.com",
		},
	}
	s := newServer(t, Options{})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, version := range []string{"v1", "v1beta1"} {
				body := strings.Replace(test.body, "admission.k8s.io/v1", "admission.k8s.io/"+version, 1)
				review := reviews.DecodeAdmission(t, serve(s, reviews.NewRequest("/default", body)))
				if review.APIVersion != "admission.k8s.io/"+version {
					t.Errorf("the answer is of %s", review.APIVersion)
				}
				response := review.Response
				if patch := patchOf(t, response); patch != nil {
					t.Errorf("patch %v", patch)
				}
				if response.Allowed != (test.message == "") {
					t.Fatalf("%+v", response)
				}
				if !response.Allowed && (response.Result.Code != http.StatusBadRequest ||
					!strings.Contains(response.Result.Message, test.message)) {
					t.Errorf("%+v", response.Result)
				}
			}
		})
	}
	counts(t, s, map[string]float64{
		"admission_defaults_total{result=unneeded}": 6, "admission_defaults_total{result=refused}": 6,
		"http_requests_total{code=200,endpoint=default}": 12,
	})
}

// FuzzDefault checks that nothing panics, that a patch only adds members to requests, and that no default is missing
// after it.
func FuzzDefault(f *testing.F) {
	seed(f, "-admission.json",
		defaultsOf("v1alpha3", "CREATE", "", `{"spec":{"devices":{"requests":[{},null,{"count":0}]}}}`),
		defaultsOf("v1alpha3", "UPDATE", "ResourceClaimTemplate",
			`{"spec":{"spec":{"devices":{"requests":[{"allocationMode":""}]}}}}`),
		defaultsOf("v1", "CREATE", "",
			`{"spec":{"devices":{"requests":[{"exactly":{}},{"firstAvailable":[{},null,{"count":0}]}]}}}`))
	s := newServer(f, Options{Groups: []string{"*"}})
	f.Fuzz(func(t *testing.T, body string) {
		answer, ok := fuzzed(t, s, "/default", body)
		if !ok {
			return
		}
		response := reviews.Decode[admissionv1.AdmissionReview](t, answer).Response
		var sent admissionv1.AdmissionReview
		if response == nil || !clean(body, &sent) || !response.Allowed {
			return
		}
		patch := patchOf(t, response)
		if len(patch) == 0 {
			return
		}
		completed := patched(t, sent.Request.Object.Raw, patch)
		again := strings.Replace(body, string(sent.Request.Object.Raw), completed, 1)
		if again == body {
			return // the object stands elsewhere in other words
		}
		review := reviews.DecodeAdmission(t, serve(s, reviews.NewRequest("/default", again)))
		if more := patchOf(t, review.Response); len(more) > 0 {
			t.Fatalf("after %v still missing: %v", patch, more)
		}
	})
}

// patched returns an object after a patch that adds members.
func patched(t testing.TB, object []byte, patch []jsonpatch.Operation) string {
	t.Helper()
	for _, o := range patch {
		last := o.Path[strings.LastIndex(o.Path, "/")+1:]
		if o.Operation != "add" || last != "allocationMode" && last != "count" {
			t.Fatalf("%v is no default", o)
		}
	}
	object, err := apply(patch, object)
	if err != nil {
		t.Fatalf("%v cannot be applied to %s: %v", patch, object, err)
	}
	return string(object)
}
