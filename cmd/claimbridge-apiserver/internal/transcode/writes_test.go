//go:build e2e

package transcode

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/websocket"
	"k8s.io/api/resource/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/routine"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/conversion/lens"
)

const inV1 = "/apis/resource.k8s.io/v1"

// An API server never answers 409 to a write that names no version of the object.
func TestWritersAtOnceMeetNoConflict(t *testing.T) {
	ours, _ := servers(t)
	const writers, writes = 8, 6
	template := func(labels string) string {
		return `{"metadata":{"name":"a"` + labels + `},"spec":{"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}}}}`
	}
	path := inVersion + "/namespaces/NS/resourceclaimtemplates"
	ours.send(t, "POST", path, asJSON, template(""))
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range writes {
				resp, body := ours.send(t, "PUT", path+"/a", asJSON, template(fmt.Sprintf(`,"labels":{"w":"%d-%d"}`, w, n)))
				if resp.StatusCode != http.StatusOK {
					t.Errorf("update: %s", body)
				}
				// the spec makes it one that is put into the live object
				resp, body = ours.send(t, "PATCH", path+"/a", mergePatch, fmt.Sprintf(`{"metadata":{"annotations":{"w%d":"%d"}},"spec":{}}`, w, n))
				if resp.StatusCode != http.StatusOK {
					t.Errorf("patch: %s", body)
				}
			}
		})
	}
	all.Wait()
	_, body := ours.send(t, "GET", inV1+"/namespaces/NS/resourceclaimtemplates/a", "", "")
	if len(body) == 0 {
		t.Error("it is not there")
	}
}

// Two writers of alpha versions see each other's objects, and v1 has them.
func TestAlphaVersions(t *testing.T) {
	ours, theirs := servers(t)
	theirs.namespace = ours.namespace
	const claims = "/namespaces/NS/resourceclaims"
	const alpha = "/apis/resource.k8s.io/v1alpha2"
	claim := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"}}`
	steps := []struct {
		step
		code int
		says string
	}{
		{step{method: "POST", path: alpha + claims, contentType: asJSON, body: claim}, 201, `"resourceClassName":"c"`},
		{step{method: "GET", path: alpha + claims + "/a"}, 200, `"apiVersion":"resource.k8s.io/v1alpha2"`},
		{step{method: "GET", path: alpha + claims}, 200, `"resourceClassName":"c"`},
		{step{method: "PATCH", path: alpha + claims + "/a", contentType: mergePatch, body: `{"metadata":{"labels":{"a":"b"}}}`}, 200, `"a":"b"`},
		{step{method: "PUT", path: alpha + claims + "/a", contentType: asJSON, body: strings.Replace(claim, `"c"`, `"d"`, 1)}, 422, "immutable"},
		{step{method: "PUT", path: alpha + claims + "/b", contentType: asJSON, body: strings.Replace(claim, `"a"`, `"b"`, 1)}, 404, "not found"},
		{step{method: "PATCH", path: alpha + claims + "/a/status", contentType: mergePatch, body: `{"status":{"driverName":"d","allocation":{"resourceHandles":[{"driverName":"d","data":"x"}]}}}`}, 200, `"data":"x"`},
		{step{method: "PATCH", path: alpha + claims + "/a/status", contentType: mergePatch, body: `{"status":{"deallocationRequested":true}}`}, 422, "deallocationRequested"},
		{step{method: "POST", path: alpha + claims, contentType: asJSON, body: `{"metadata":{"name":"bad"},"spec":{}}`}, 422, "spec.resourceClassName"},
		{step{method: "POST", path: alpha + "/namespaces/missing/resourceclaims", contentType: asJSON, body: `{"metadata":{"name":"bad"},"spec":{}}`}, 404, `namespaces \"missing\" not found`},
		{step{method: "POST", path: alpha + claims, contentType: runtime.ContentTypeProtobuf, body: "k8s\x00"}, 415, "accepted media types include: application/json, application/yaml"},
		{step{method: "GET", path: alpha + "/namespaces/NS/deviceclasses"}, 404, ""},
		{step{method: "DELETE", path: alpha + claims + "/a"}, 200, `"apiVersion":"resource.k8s.io/v1alpha2"`},
	}
	for _, s := range steps {
		resp, body := ours.send(t, s.method, s.path, s.contentType, s.body)
		if resp.StatusCode != s.code || !strings.Contains(string(body), s.says) {
			t.Errorf("%s %s %s: want %d and %q, got %d: %s", s.method, s.path, s.body, s.code, s.says, resp.StatusCode, body)
		}
		if s.method == "POST" && s.code == http.StatusCreated {
			if _, body := theirs.send(t, "GET", inV1+claims+"/a", "", ""); !strings.Contains(string(body), `"exactly"`) {
				t.Errorf("v1 has %s", body)
			}
		}
	}
}

// What an apply makes is judged by the rules of an alpha version, which v1 does not have, and by the store's own, and nothing of it is stored
// that either refuses.
func TestTheRulesOfAlphasJudgeApplies(t *testing.T) {
	ours, theirs := servers(t)
	theirs.namespace = ours.namespace
	const alpha = "/apis/resource.k8s.io/v1alpha2/namespaces/NS/"
	claim := func(name, metadata, rest string) string {
		return `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"` + name + `"` + metadata + `}` + rest + `}`
	}
	spec := func(more string) string { return `,"spec":{"resourceClassName":"c"` + more + `}` }
	template := func(more string) string {
		return strings.Replace(claim("t", "", `,"spec":{"spec":{"resourceClassName":"c"`+more+`}}`), "ResourceClaim", "ResourceClaimTemplate", 1)
	}
	handle := func(driver string) string {
		return `,"status":{"driverName":"d","allocation":{"resourceHandles":[{"driverName":"` + driver + `","data":"x"}]}}`
	}
	steps := []struct {
		path, body string
		code       int
		says       string
	}{
		{"resourceclaims/a", claim("a", "", spec(`,"allocationMode":"Sometimes"`)), 422, "spec.allocationMode"},
		{"resourceclaims/a", claim("a", "", spec(`,"parametersRef":{"kind":"K","name":""}`)), 422, "spec.parametersRef.name"},
		{"resourceclaims/a", claim("a", "", `,"spec":{}`), 422, "spec.resourceClassName"},
		{"resourceclaims/a", claim("a", `,"uid":"7"`, spec("")), 409, ""},
		{"resourceclaims/a", claim("a", "", spec("")), 201, `"resourceClassName":"c"`},
		{"resourceclaims/a", claim("a", `,"labels":{"l":"1"}`, spec("")), 200, `"l":"1"`},
		{"resourceclaims/a?dryRun=All", claim("a", `,"labels":{"l":"2"}`, spec("")), 200, `"l":"2"`},
		{"resourceclaims/a", claim("a", "", spec(`,"parametersRef":{"kind":"K","name":"n"}`)), 422, "immutable"},
		{"resourceclaims/a/status", claim("a", "", handle("Not A Name")), 422, "Not A Name"},
		{"resourceclaims/a/status", claim("a", "", handle("gpu.example.com")), 200, `"data":"x"`},
		{"resourceclaimtemplates/t", template(`,"allocationMode":"Sometimes"`), 422, "spec.spec.allocationMode"},
		{"resourceclaimtemplates/t", template(""), 201, `"resourceClassName":"c"`},
	}
	for _, s := range steps {
		before := inStore(t, theirs, s.path)
		path := alpha + s.path + "?fieldManager=m"
		if name, query, has := strings.Cut(s.path, "?"); has {
			path = alpha + name + "?fieldManager=m&" + query
		}
		resp, body := ours.send(t, "PATCH", path, applyPatch, s.body)
		if resp.StatusCode != s.code || !strings.Contains(string(body), s.says) {
			t.Errorf("%s %s: want %d and %q, got %d: %s", s.path, s.body, s.code, s.says, resp.StatusCode, body)
		}
		if after := inStore(t, theirs, s.path); (s.code >= 300 || strings.Contains(s.path, "dryRun")) && after != before {
			t.Errorf("%s %s was refused, or only tried, and has changed\n%s\nto\n%s", s.path, s.body, before, after)
		}
	}
}

func TestProtobufIsReadWhereUpstreamHasTypes(t *testing.T) {
	ours, theirs := servers(t)
	claim := &v1beta1.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "resource.k8s.io/v1beta1", Kind: "ResourceClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Spec:       v1beta1.ResourceClaimSpec{Devices: v1beta1.DeviceClaim{Requests: []v1beta1.DeviceRequest{{Name: "r", DeviceClassName: "c"}}}},
	}
	info, _ := runtime.SerializerInfoForMediaType(bodies.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	body, err := runtime.Encode(info.Serializer, claim)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*server{ours, theirs} {
		resp, answer := s.send(t, "POST", claims, runtime.ContentTypeProtobuf, string(body), "Accept", "application/vnd.kubernetes.protobuf,application/json")
		if resp.StatusCode != http.StatusCreated {
			t.Errorf("%s: %d %s", s.name, resp.StatusCode, answer)
		}
	}
	_, want := theirs.send(t, "GET", claims+"/a", "", "")
	_, got := ours.send(t, "GET", claims+"/a", "", "")
	if theirs.plain(want) != ours.plain(got) {
		t.Errorf("want %s, got %s", want, got)
	}
	if resp, _ := ours.send(t, "GET", claims+"/a", "", "", "Accept", runtime.ContentTypeProtobuf); resp.StatusCode != http.StatusNotAcceptable {
		t.Errorf("protobuf alone: %d", resp.StatusCode)
	}
}

func TestWatchByWebSocket(t *testing.T) {
	ours, _ := servers(t)
	ours.send(t, "POST", claims, asJSON, claimA)
	address := "ws" + strings.TrimPrefix(ours.base, "http") + strings.Replace(claims, "NS", ours.namespace, 1) + "?watch=1&resourceVersion=0"
	ws, err := websocket.Dial(address, "", ours.base)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	var event struct {
		Type   string
		Object v1beta1.ResourceClaim
	}
	if err := websocket.JSON.Receive(ws, &event); err != nil {
		t.Fatal(err)
	}
	if event.Type != "ADDED" || event.Object.APIVersion != "resource.k8s.io/v1beta1" || event.Object.Spec.Devices.Requests[0].DeviceClassName != "gpu.example.com" {
		t.Errorf("got %v", event)
	}
}

// silent is a watch on which nothing happens, until it is given up.
type silent struct{ Store }

func (silent) AsCaller(ctx context.Context, _ store.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: untilDone{ctx}}, nil
}

type untilDone struct{ context.Context }

func (u untilDone) Read([]byte) (int, error) { <-u.Done(); return 0, u.Err() }
func (u untilDone) Close() error             { return nil }

type shutdown chan struct{}

func (s shutdown) ShuttingDown() <-chan struct{} { return s }

func TestWatchesEndWhenTheServerIsToldTo(t *testing.T) {
	signals, ended := make(shutdown), make(chan Outcome, 1)
	observe := func(ctx context.Context, _ Asked) (context.Context, func(Outcome)) {
		return ctx, func(o Outcome) { ended <- o }
	}
	handler := New(silent{}, nil, nil, Options{Observe: observe})
	watching := func(_ *http.Request, info *request.RequestInfo) bool { return info.Verb == "watch" }
	handler = around(routine.WithRoutine(handler, watching))
	req := httptest.NewRequest(http.MethodGet, allClaims+"?watch=1", nil)
	req = req.WithContext(request.WithServerShutdownSignal(req.Context(), signals))
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		handler.ServeHTTP(httptest.NewRecorder(), req)
	}()
	select {
	case o := <-ended:
		t.Fatalf("it ended by itself: %v", o)
	case <-time.After(10 * time.Millisecond):
	}
	close(signals)
	<-answered
	if o := <-ended; o != (Outcome{Code: http.StatusOK}) {
		t.Errorf("got %v", o)
	}
}

// A field of a v1 newer than our types is shown, and who sends it back is not told that there is no such field.
func TestFieldsOfANewerStoreAreExcused(t *testing.T) {
	kind, _ := served.Lookup("v1beta1", "resourceclaims")
	c := &call{resource: resource{Kind: kind}}
	shown := []byte(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","spec":{"later":1}}`)
	sent := []byte(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","spec":{"later":2,"wrong":1}}`)
	got := c.unexcused(c.problemsOf(sent), shown)
	if len(got) != 1 || !strings.Contains(got[0].Error(), `"spec.wrong"`) {
		t.Errorf("got %v", got)
	}
}

// API servers quote all of the object, twice. What is short is quoted as they do.
func TestARefusedPatchQuotesNoMoreOfAnObjectThanAReaderReads(t *testing.T) {
	kind, _ := served.Lookup("v1beta1", "resourceclaims")
	c := &call{resource: resource{Kind: kind}}
	const begin = `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"annotations":{"a":"`
	wrong := map[types.PatchType]string{
		types.MergePatchType:          `{"spec":{"devices":""}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/spec/devices","value":""}]`,
		types.StrategicMergePatchType: `{"metadata":{"annotations":{"b":"LONG"}},"spec":{"wrong":""}}`,
	}
	for form, patch := range wrong {
		for _, size := range []int{100, 1 << 20} {
			t.Run(fmt.Sprint(form, " ", size), func(t *testing.T) {
				long := strings.Repeat("é\"", size/3)
				shown := []byte(begin + strings.ReplaceAll(long, `"`, `\"`) + `"}},"spec":{}}`)
				_, err := c.patched(form, shown, []byte(strings.Replace(patch, "LONG", strings.ReplaceAll(long, `"`, `\"`), 1)), metav1.FieldValidationStrict)
				status, ok := err.(apierrors.APIStatus)
				if !ok || status.Status().Code != http.StatusUnprocessableEntity {
					t.Fatalf("got %v", err)
				}
				answer, err := json.Marshal(status.Status())
				if err != nil {
					t.Fatal(err)
				}
				if len(answer) > 24*maxQuoted {
					t.Errorf("the answer has %d bytes", len(answer))
				}
				if cut := strings.Contains(string(answer), "(cut here: 16384 of "); cut != (size > maxQuoted) {
					t.Errorf("that it was cut is said: %t, in %.500s", cut, answer)
				}
			})
		}
	}
}

func TestEveryKindThatIsServedHasALens(t *testing.T) {
	for _, version := range served.Versions() {
		for _, kind := range served.Kinds(version) {
			if _, err := lens.New(version, kind.Kind); err != nil {
				t.Error(err)
			}
			for _, part := range shared[version][kind.Kind] {
				if part == "status" && !kind.Status {
					t.Errorf("%s %s has no status", version, kind.Kind)
				}
			}
		}
	}
	if len(shared["v1beta2"]) != len(served.Kinds("v1beta2")) {
		t.Error("v1beta2 is written as v1 is, in every kind")
	}
}

func TestDeprecationsAreSaid(t *testing.T) {
	want := map[string]string{
		"v1beta2":  "resource.k8s.io/v1beta2 ResourceClaim is deprecated in v1.36+, unavailable in v1.39+",
		"v1beta1":  "resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable in v1.38+",
		"v1alpha3": "resource.k8s.io/v1alpha3 ResourceClaim is deprecated in v1.34+, unavailable in v1.34+; use resource.k8s.io/v1 ResourceClaim",
		"v1alpha2": "resource.k8s.io/v1alpha2 ResourceClaim is deprecated in v1.31+, unavailable in v1.31+; use resource.k8s.io/v1 ResourceClaim",
		"v1alpha1": "resource.k8s.io/v1alpha1 ResourceClaim is deprecated in v1.27+, unavailable in v1.27+; use resource.k8s.io/v1 ResourceClaim",
	}
	for _, version := range served.Versions() {
		kind, _ := served.Lookup(version, "resourceclaims")
		if got := deprecated(kind); got != want[version] {
			t.Errorf("%s: want %q, got %q", version, want[version], got)
		}
	}
}

// inStore is the object of a path, as it is in v1, "" when there is none.
func inStore(t *testing.T, s *server, path string) string {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	resp, body := s.send(t, "GET", inV1+"/namespaces/NS/"+strings.TrimSuffix(path, "/status"), "", "")
	if resp.StatusCode != http.StatusOK {
		return ""
	}
	return string(body)
}
