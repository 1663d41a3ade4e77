package review

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestConvert(t *testing.T) {
	const claim = reviews.ClaimV1alpha2
	mirrored := strings.Replace(claim, "resource.k8s.io", "claims.example.com", 1)
	tests := map[string]struct {
		body   string
		groups []string
		// message of a failure, or "" for success.
		failure []string
		// apiVersion and name of the answers.
		want []string
	}{
		"one object": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3", claim),
			want: []string{"resource.k8s.io/v1alpha3 a"},
		},
		"desiredAPIVersion after the objects": {
			body: `{"request":{"objects":[` + claim + `],"desiredAPIVersion":"resource.k8s.io/v1alpha3","uid":"the-uid"},` +
				`"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}`,
			want: []string{"resource.k8s.io/v1alpha3 a"},
		},
		"no object": {body: reviews.Conversion("resource.k8s.io/v1alpha3")},
		"objects of several versions keep their order": {
			body: reviews.Conversion("resource.k8s.io/v1alpha1", reviews.ClaimV1alpha3, claim, reviews.ClaimV1alpha3),
			want: []string{"resource.k8s.io/v1alpha1 b", "resource.k8s.io/v1alpha1 a", "resource.k8s.io/v1alpha1 b"},
		},
		"a group that is not the default": {
			body:   reviews.Conversion("claims.example.com/v1alpha3", mirrored),
			groups: []string{"resource.k8s.io", "claims.example.com"},
			want:   []string{"claims.example.com/v1alpha3 a"},
		},
		"any group": {
			body:   reviews.Conversion("claims.example.com/v1alpha3", mirrored),
			groups: []string{"*"},
			want:   []string{"claims.example.com/v1alpha3 a"},
		},
		"a group that is not served": {
			body:    reviews.Conversion("claims.example.com/v1alpha3", mirrored),
			failure: []string{`API group "claims.example.com" is not served`, "--group=claims.example.com"},
		},
		"an object of another group than wanted": {
			body:   reviews.Conversion("claims.example.com/v1alpha3", claim),
			groups: []string{"*"},
			failure: []string{
				"objects[0]: ResourceClaim default/a: v1alpha2 to v1alpha3",
				`group is "resource.k8s.io"`,
			},
		},
		"an unknown version": {
			body: reviews.Conversion("resource.k8s.io/v9", claim),
			failure: []string{
				"objects[0]: ResourceClaim default/a: v1alpha2 to v9",
				`unknown version "v9"`,
				"v1alpha1, v1alpha2, v1alpha3, v1beta1, v1beta2, v1",
			},
		},
		"a wanted version without a group": {
			body:    reviews.Conversion("v1alpha3", claim),
			groups:  []string{"*"},
			failure: []string{`desiredAPIVersion "v1alpha3": must be group/version`},
		},
		"an object of another kind": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3", claim,
				strings.Replace(claim, "ResourceClaim", "ResourceClass", 1)),
			failure: []string{
				"1 of 2 objects",
				"objects[1]: ResourceClass default/a: v1alpha2 to v1alpha3",
				"unknown kind",
			},
		},
		"all failing objects are reported": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3",
				strings.Replace(claim, `"gpu.example.com"`, `7`, 1), claim, `null`, `[]`,
				strings.Replace(claim, `{"resourceClassName":"gpu.example.com"}`, `"no"`, 1)),
			failure: []string{
				"4 of 5 objects", "objects[0]: ResourceClaim default/a: v1alpha2 to v1alpha3: spec.resourceClassName:",
				"objects[2]: null", "objects[3]:", "objects[4]: ResourceClaim default/a: v1alpha2 to v1alpha3: spec:",
			},
		},
		"only the first of many failing objects are reported": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3",
				strings.Split(strings.Repeat("{} ", 4999)+"{}", " ")...),
			failure: []string{"5000 of 5000 objects", "objects[9]", "and 4990 more"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, version := range []string{"v1", "v1beta1"} {
				body := strings.Replace(test.body, "apiextensions.k8s.io/v1", "apiextensions.k8s.io/"+version, 1)
				response := serve(newServer(t, Options{Groups: test.groups}), reviews.NewRequest("/convert", body))
				review := reviews.DecodeConversion(t, response)
				if want := (metav1.TypeMeta{
					Kind:       "ConversionReview",
					APIVersion: "apiextensions.k8s.io/" + version,
				}); review.TypeMeta != want {
					t.Errorf("the answer is a %v, want %v", review.TypeMeta, want)
				}
				if review.Response.UID != "the-uid" {
					t.Errorf("uid is %q", review.Response.UID)
				}
				checkFailure(t, review.Response, test.failure)
				if diff := cmp.Diff(test.want, identities(t, review)); diff != "" {
					t.Errorf("answers (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func checkFailure(t *testing.T, response *apiextensionsv1.ConversionResponse, want []string) {
	t.Helper()
	if want == nil {
		if response.Result.Status != metav1.StatusSuccess {
			t.Errorf("status %q: %s", response.Result.Status, response.Result.Message)
		}
		return
	}
	if response.Result.Status != metav1.StatusFailure {
		t.Errorf("status is %q, want a failure", response.Result.Status)
	}
	for _, part := range want {
		if !strings.Contains(response.Result.Message, part) {
			t.Errorf("message lacks %q: %s", part, response.Result.Message)
		}
	}
	if limit := (maxCauses + 1) * maxCause; len(response.Result.Message) > limit {
		t.Errorf("message of %d bytes, at most %d are good", len(response.Result.Message), limit)
	}
}

func identities(t *testing.T, review *apiextensionsv1.ConversionReview) (all []string) {
	t.Helper()
	for _, object := range review.Response.ConvertedObjects {
		header := must.Get(conversion.ReadHeader(object.Raw))(t)
		if !bytes.Contains(object.Raw, []byte(`"metadata"`)) {
			t.Errorf("no metadata in %s", object.Raw)
		}
		all = append(all, header.APIVersion()+" "+header.Name)
	}
	return all
}

func TestConvertKeepsObjectsOfTheTargetVersion(t *testing.T) {
	odd := `{ "kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1alpha2", "odd":1e400, "metadata":{"name":"a"} }`
	review := reviews.DecodeConversion(t,
		serve(newServer(t, Options{}), reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha2", odd))))
	checkFailure(t, review.Response, nil)
	if got := string(review.Response.ConvertedObjects[0].Raw); got != odd {
		t.Errorf("got %s, want %s", got, odd)
	}
}

func TestMetadataIsTrimmedForAPIServersOnly(t *testing.T) {
	tests := map[string]struct {
		agent string
		keep  bool
		want  bool // managedFields in the answer
	}{
		"an API server":                         {agent: "kube-apiserver-admission", want: false},
		"an API server with a longer agent":     {agent: "kube-apiserver-admission/v1.36.3", want: false},
		"an API server, but the whole is kept":  {agent: "kube-apiserver-admission", keep: true, want: true},
		"curl":                                  {agent: "curl/8.5.0", want: true},
		"a caller that mentions the API server": {agent: "not kube-apiserver-admission", want: true},
		"a caller without a name":               {want: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			request := reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))
			request.Header.Set("User-Agent", test.agent)
			review := reviews.DecodeConversion(t, serve(newServer(t, Options{KeepMetadata: test.keep}), request))
			checkFailure(t, review.Response, nil)
			var object metav1.PartialObjectMetadata
			must.Do(t, json.Unmarshal(review.Response.ConvertedObjects[0].Raw, &object))
			if got := len(object.ManagedFields) > 0; got != test.want {
				t.Errorf("managedFields in the answer: %v, want %v", got, test.want)
			}
			if object.Name != "a" || object.Namespace != "default" || object.UID != "u1" {
				t.Errorf("identity changed: %+v", object.ObjectMeta)
			}
		})
	}
}

func TestConvertCountsDroppedFieldsAndLogsOnlyPaths(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, Options{Logger: reviews.NewLogger(&log)})
	odd := strings.Replace(reviews.ClaimV1alpha2, `"spec":{`, `"spec":{"color":"top-secret",`, 1)
	broken := strings.Replace(reviews.ClaimV1alpha2, `"gpu.example.com"`, `["top-secret"]`, 1)
	checkFailure(t,
		reviews.DecodeConversion(t,
			serve(s, reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", odd)))).Response,
		nil)
	checkFailure(t,
		reviews.DecodeConversion(t,
			serve(s, reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", broken)))).Response,
		[]string{"resourceClassName"})
	serve(s, reviews.NewRequest("/convert", `{"top-secret":`))

	counts(t, s, map[string]float64{
		"conversion_unknown_fields_total{from=v1alpha2,to=v1alpha3}":    1,
		"conversions_total{from=v1alpha2,result=converted,to=v1alpha3}": 1,
		"conversions_total{from=v1alpha2,result=failed,to=v1alpha3}":    1,
		"http_requests_total{code=200,endpoint=convert}":                2,
		"http_requests_total{code=400,endpoint=convert}":                1,
		"http_request_duration_seconds{endpoint=convert}":               3,
		"http_requests_in_flight{endpoint=convert}":                     0,
		"http_request_bytes_in_flight{}":                                0,
	})
	if got := log.String(); !strings.Contains(got, "spec.color") || !strings.Contains(got, "spec.resourceClassName") ||
		strings.Contains(got, "top-secret") {
		t.Errorf("the log should name places and no values:\n%s", got)
	}
}
