package transcode

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestProtobuf checks bodies in protobuf, which typed clients send. Without the Go types, the error names JSON.
func TestProtobuf(t *testing.T) {
	cluster := &fakeCluster{code: http.StatusOK, body: v1beta1Claim}
	if !hasTypes("v1") {
		code, _, response := roundTrip(t, &fakeCluster{mustNotBeCalled: true, t: t}, "v1beta1", http.MethodPut, claimPath,
			runtime.ContentTypeProtobuf, "k8s\x00")
		if code != http.StatusUnsupportedMediaType || !strings.Contains(response, "send application/json") {
			t.Errorf("%d: %s", code, response)
		}
		return
	}
	for kind, want := range map[string]int{"ResourceClaim": http.StatusOK, "DeviceClass": http.StatusBadRequest} {
		object := strings.Replace(v1Claim, "ResourceClaim", kind, 1)
		body := protobufOf(t, versionPair{kind: kind, requested: "v1"}, object)
		code, _, response := roundTrip(t, cluster, "v1beta1", http.MethodPut, claimPath, runtime.ContentTypeProtobuf, body)
		if code != want {
			t.Errorf("%s: got %d %s, want %d", kind, code, response, want)
		}
	}
	const wantBody = `"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}}`
	if contentType := cluster.sentHeader.Get("Content-Type"); contentType != runtime.ContentTypeJSON ||
		!strings.Contains(cluster.sentBody, wantBody) {
		t.Errorf("sent %s: %s", contentType, cluster.sentBody)
	}
	code, _, response := roundTrip(t, cluster, "v1beta1", http.MethodPut, claimPath, runtime.ContentTypeProtobuf, "no")
	if code != http.StatusBadRequest {
		t.Errorf("invalid protobuf: got %d %s, want 400", code, response)
	}
}

// protobufOf returns an object in JSON as protobuf.
func protobufOf(t *testing.T, p versionPair, text string) string {
	t.Helper()
	object, err := scheme.Scheme.New(p.requestedGVK())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), object); err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(object, &body); err != nil {
		t.Fatal(err)
	}
	return body.String()
}
