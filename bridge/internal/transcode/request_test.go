package transcode

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
)

const (
	claimPath = "/apis/resource.k8s.io/v1/namespaces/a/resourceclaims/b"
	v1Claim   = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"b"},` +
		`"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}}}`
	v1beta1Claim = `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"b"},` +
		`"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}}}`
)

func TestUpdate(t *testing.T) {
	cluster := &fakeCluster{code: http.StatusOK, body: v1beta1Claim}
	code, _, response := roundTrip(t, cluster, "v1beta1", http.MethodPut, claimPath+"?fieldManager=m", "", v1Claim)
	const wantURL = "https://cluster/apis/resource.k8s.io/v1beta1/namespaces/a/resourceclaims/b" +
		"?fieldManager=m&fieldValidation=Strict&pretty=false"
	if code != http.StatusOK || response != v1Claim || cluster.sentBody != v1beta1Claim || cluster.url != wantURL {
		t.Errorf("%d: sent %s to %s, got %s", code, cluster.sentBody, cluster.url, response)
	}
}

// TestFieldValidation: an API server rejects fields that its release does not have, unless the client ignores them.
func TestFieldValidation(t *testing.T) {
	for query, want := range map[string]string{
		"": "Strict", "?fieldValidation=Warn": "Strict", "?fieldValidation=Strict": "Strict",
		"?fieldValidation=Ignore": "Ignore", "?fieldValidation=x": "x",
	} {
		cluster := &fakeCluster{code: http.StatusOK, body: v1beta1Claim}
		roundTrip(t, cluster, "v1beta1", http.MethodPut, claimPath+query, "", v1Claim)
		sent, err := url.Parse(cluster.url)
		if err != nil || sent.Query().Get("fieldValidation") != want {
			t.Errorf("%s: got the URL %s, want fieldValidation=%s", query, cluster.url, want)
		}
	}
}

// TestUnsupported checks that unsupported requests are rejected before the bridge sends a request, and that the message
// names the alternative.
func TestUnsupported(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, contentType, accept, body string
		code                                    int
		message                                 string
	}{
		"a YAML body": {
			http.MethodPut, claimPath, "application/yaml", "", "a: b", http.StatusUnsupportedMediaType,
			"send application/json or application/vnd.kubernetes.protobuf",
		},
		"a CBOR body": {
			http.MethodPut, claimPath, "application/cbor", "", "", http.StatusUnsupportedMediaType, "send application/json",
		},
		"a YAML apply": {
			http.MethodPatch, claimPath, "application/apply-patch+yaml", "", "a: b", http.StatusUnsupportedMediaType,
			"as JSON, which is also YAML",
		},
		"a patch without a type": {
			http.MethodPatch, claimPath, "application/json", "", "{}", http.StatusUnsupportedMediaType,
			"application/json-patch+json, application/merge-patch+json",
		},
		"a YAML response": {
			http.MethodGet, claimPath, "", "application/yaml", "", http.StatusNotAcceptable,
			"returns only application/json",
		},
		"a watch path": {
			http.MethodGet, strings.Replace(claimPath, "/v1/", "/v1/watch/", 1), "", "", "", http.StatusBadRequest,
			"watch=true",
		},
		"not JSON": {http.MethodPut, claimPath, "", "", "{", http.StatusBadRequest, "is not JSON"},
		"another version": {
			http.MethodPut, claimPath, "", "", v1beta1Claim, http.StatusBadRequest, "does not match the expected API version",
		},
		"a malformed patch": {
			http.MethodPatch, claimPath, "application/merge-patch+json", "", "{", http.StatusBadRequest, "is not JSON",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newTestRequest(test.method, test.path, test.body)
			r.Header.Set("Content-Type", test.contentType)
			if test.accept != "" {
				r.Header.Set("Accept", test.accept)
			}
			code, response := sendTestRequest(t, &fakeCluster{mustNotBeCalled: true, t: t}, r)
			if code != test.code || !strings.Contains(response, test.message) || !strings.Contains(response, `"Status"`) {
				t.Errorf("%d: %s", code, response)
			}
		})
	}
}

// TestErrors checks that errors of the cluster are returned with the paths of fields in the requested version.
func TestErrors(t *testing.T) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure",` +
		`"message":"spec.devices.requests[0].count: no","details":{"causes":[` +
		`{"field":"spec.devices.requests[0].count"},{"field":"metadata.name"}]},"code":422}`
	cluster := &fakeCluster{code: http.StatusUnprocessableEntity, body: status}
	code, header, response := roundTrip(t, cluster, "v1beta1", http.MethodPut, claimPath, "", v1Claim)
	for _, want := range []string{
		`"field":"spec.devices.requests[0].exactly.count"`, `"field":"metadata.name"`,
		`"message":"spec.devices.requests[0].count: no"`,
	} {
		if code != http.StatusUnprocessableEntity || !strings.Contains(response, want) {
			t.Errorf("got %d %s, want 422 with %s", code, response, want)
		}
	}
	if warning := header.Get("Warning"); !strings.Contains(warning, "sent this request as resource.k8s.io/v1beta1") {
		t.Errorf("got the warning %q, want one that names the served version", warning)
	}
}

// TestPatchForwarding checks that a patch is forwarded if its paths are the same in both versions.
func TestPatchForwarding(t *testing.T) {
	const merge, json, strategic = "application/merge-patch+json", "application/json-patch+json",
		"application/strategic-merge-patch+json"
	for _, test := range []struct {
		patchType, patch, want string
	}{
		{merge, `{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"labels":{"a":"b"}}}`},
		{strategic, `{"status":{"reservedFor":[]}}`, `{"status":{"reservedFor":[]}}`},
		{
			merge, `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim"}`,
			`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim"}`,
		},
		{json, `[{"op":"add","path":"/metadata/labels","value":{}}]`, `[{"op":"add","path":"/metadata/labels","value":{}}]`},
		{merge, `{"spec":{}}`, ""},
		{merge, `{"apiVersion":"resource.k8s.io/v1beta1"}`, ""},
		{json, `[{"op":"copy","from":"/spec","path":"/metadata/x"}]`, ""},
		{json, `[{"op":"remove","path":""}]`, ""},
	} {
		p := versionPair{kind: "ResourceClaim", requested: "v1", served: "v1beta1"}
		got, ok := p.forwardedPatch(types.PatchType(test.patchType), []byte(test.patch))
		if ok != (test.want != "") || ok && string(got) != test.want {
			t.Errorf("%s: got %t, %s, want %s", test.patch, ok, got, test.want)
		}
	}
}

// TestPatchConversion checks that a patch of a spec is applied in the requested version.
func TestPatchConversion(t *testing.T) {
	stored := strings.Replace(v1beta1Claim, `"name":"b"`, `"name":"b","resourceVersion":"7"`, 1)
	const merge = `{"spec":{"devices":{"requests":[{"name":"x","exactly":{"deviceClassName":"d"}}]}}}`
	for patchType, patch := range map[string]string{
		"application/merge-patch+json":           merge,
		"application/strategic-merge-patch+json": merge,
		"application/json-patch+json": `[` +
			`{"op":"replace","path":"/spec/devices/requests/0/exactly/deviceClassName","value":"d"},` +
			`{"op":"replace","path":"/spec/devices/requests/0/name","value":"x"}]`,
	} {
		if patchType == "application/strategic-merge-patch+json" && !hasTypes("v1") {
			continue
		}
		cluster := &fakeCluster{code: http.StatusOK, body: stored}
		code, _, response := roundTrip(t, cluster, "v1beta1", http.MethodPatch, claimPath, patchType, patch)
		const want = `"spec":{"devices":{"requests":[{`
		if code != http.StatusOK || !strings.HasPrefix(cluster.sentBody, `[{"op":"replace","path":"","value":{`) ||
			!strings.Contains(cluster.sentBody, want) || !strings.Contains(cluster.sentBody, `"deviceClassName":"d"`) ||
			strings.Contains(cluster.sentBody, "exactly") || !strings.Contains(cluster.sentBody, `"resourceVersion":"7"`) {
			t.Errorf("%s: %d, sent %s, got %s", patchType, code, cluster.sentBody, response)
		}
	}
}

// TestConflicts checks that a patch is repeated after a conflict, unless it sets a resourceVersion.
func TestConflicts(t *testing.T) {
	cluster := &conflictingCluster{conflicts: 3}
	code, _, response := roundTrip(t, cluster, "v1beta1", http.MethodPatch, claimPath, "application/merge-patch+json",
		`{"spec":{"devices":{"requests":[]}}}`)
	if code != http.StatusOK || cluster.patches != 4 {
		t.Errorf("%d after %d patches: %s", code, cluster.patches, response)
	}
	cluster = &conflictingCluster{conflicts: 3}
	code, _, response = roundTrip(t, cluster, "v1beta1", http.MethodPatch, claimPath, "application/merge-patch+json",
		`{"metadata":{"resourceVersion":"1"},"spec":{"devices":{"requests":[]}}}`)
	if code != http.StatusConflict || cluster.patches != 1 {
		t.Errorf("%d after %d patches: %s", code, cluster.patches, response)
	}
}

// TestPatchHasDeadline checks that each request of a patch that the bridge applies has a deadline, even if the client's
// request has none.
func TestPatchHasDeadline(t *testing.T) {
	var deadlines []time.Duration
	cluster := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
		deadline, ok := r.Context().Deadline()
		if !ok {
			t.Errorf("%s has no deadline", r.Method)
		}
		deadlines = append(deadlines, time.Until(deadline))
		return (&conflictingCluster{conflicts: 0}).RoundTrip(r)
	})
	code, _, response := roundTrip(t, cluster, "v1beta1", http.MethodPatch, claimPath, "application/merge-patch+json",
		`{"spec":{"devices":{"requests":[]}}}`)
	if code != http.StatusOK || len(deadlines) != 2 || deadlines[1] > deadlines[0] || deadlines[0] > maxPatchTime {
		t.Errorf("got %d with deadlines %v, want 200 with two: %s", code, deadlines, response)
	}
}

// TestPatchTimeout checks that the client gets a timeout error if the cluster does not respond, or stops within a
// response, before the deadline of a patch.
func TestPatchTimeout(t *testing.T) {
	for name, cluster := range map[string]roundTripperFunc{
		"no response": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
		"response without an end": func(r *http.Request) (*http.Response, error) {
			resp, err := (&conflictingCluster{}).RoundTrip(r)
			if r.Method == http.MethodPatch {
				body := readerFunc(func([]byte) (int, error) {
					<-r.Context().Done()
					return 0, r.Context().Err()
				})
				resp.Body = io.NopCloser(body)
			}
			return resp, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newTestRequest(http.MethodPatch, claimPath, "")
			target, _ := ParseTarget(r.URL)
			_, err := exchange{
				Translator:    Translator{Next: cluster, ServedVersion: "v1beta1"},
				versionPair:   versionPair{kind: "ResourceClaim", requested: "v1", served: "v1beta1"},
				clientRequest: r,
				target:        target,
			}.patchConverted(types.MergePatchType, []byte(`{"spec":{}}`), time.Millisecond)
			if !apierrors.IsTimeout(err) {
				t.Errorf("got %v, want a timeout error", err)
			}
		})
	}
}

// TestLimits checks that a body that exceeds a limit is rejected before it is parsed.
func TestLimits(t *testing.T) {
	const envelope = "k8s\x00\x12\x80\x80\x20" // a runtime.Unknown with an object of 512 KiB
	const many = 2 * maxCommas
	const protobuf = "application/vnd.kubernetes.protobuf"
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"a` + strconv.Itoa(i) + `":0`)
		}
		return b.String()
	}
	for name, test := range map[string]struct{ contentType, body string }{
		"members of JSON":               {"application/json", `{"a":0` + numbered(many) + `}`},
		"members of a merge patch":      {"application/merge-patch+json", `{"a":0` + numbered(many) + `}`},
		"an apply":                      {"application/apply-patch+yaml", `{"a":0` + numbered(many) + `}`},
		"spaces":                        {"application/json", strings.Repeat(" ", maxBodyBytes+1)},
		"empty messages of protobuf":    {protobuf, envelope + strings.Repeat("\x12\x00", many*2)},
		"messages without the envelope": {protobuf, strings.Repeat("\x12\x00", many)},
		"characters that are escaped":   {"application/json", `{"a":"` + strings.Repeat("<", maxEscapedBytes/6) + `"}`},
		"control characters":            {protobuf, strings.Repeat("\x01", maxEscapedBytes/6+1)},
		"bytes that are not UTF-8":      {protobuf, strings.Repeat("\xff", maxEscapedBytes/6+1)},
	} {
		t.Run(name, func(t *testing.T) {
			method := http.MethodPut
			if strings.Contains(test.contentType, "patch") {
				method = http.MethodPatch
			}
			code, _, response := roundTrip(t, &fakeCluster{mustNotBeCalled: true, t: t}, "v1beta1", method, claimPath,
				test.contentType, test.body)
			if code != http.StatusRequestEntityTooLarge {
				t.Errorf("got %d %.200s, want 413", code, response)
			}
		})
	}
}

// TestLargestSliceIsBelowTheLimit has far fewer values than the limit: 128 devices with 32 attributes, the limits of
// the API.
func TestLargestSliceIsBelowTheLimit(t *testing.T) {
	attributes := make([]string, 32)
	for i := range attributes {
		attributes[i] = `"driver.example.com/attribute-` + strconv.Itoa(i) + `":{"string":"a value"}`
	}
	devices := make([]string, 128)
	for i := range devices {
		devices[i] = `{"name":"device-` + strconv.Itoa(i) + `","attributes":{` + strings.Join(attributes, ",") + `}}`
	}
	slice := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"a"},"spec":{"devices":[` +
		strings.Join(devices, ",") + `]}}`
	body, err := readBody(newTestRequest(http.MethodPost, "/", slice))
	if count := strings.Count(string(body), ","); err != nil || count > maxCommas/2 {
		t.Errorf("%v: %d values", err, count)
	}
	if !hasTypes("v1") {
		return
	}
	body = []byte(protobufOf(t, versionPair{kind: "ResourceSlice", requested: "v1"}, slice))
	if count := countFields(body[len("k8s\x00"):], maxProtobufDepth); count > maxCommas/2 || count < 128*32 {
		t.Errorf("%d fields", count)
	}
	if size := escapedSize(body, true); size > maxEscapedBytes/2 {
		t.Errorf("got an escaped size of %d, want at most %d", size, maxEscapedBytes/2)
	}
}
