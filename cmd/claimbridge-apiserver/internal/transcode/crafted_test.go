//go:build e2e

package transcode

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
)

// crafted answers, as no API server gives them when all is well.
type crafted struct{ body io.Reader }

func (c crafted) AsCaller(context.Context, store.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {asJSON}}, Body: io.NopCloser(c.body), ContentLength: -1}, nil
}

func (c crafted) Live(ctx context.Context, r store.Request, _ bool) (*http.Response, error) {
	return c.AsCaller(ctx, r)
}

// get from a handler whose store answers so; the error is that of reading the answer.
func get(t *testing.T, answer io.Reader, path string, header ...string) (code int, body string, err error) {
	t.Helper()
	server := httptest.NewServer(around(New(crafted{answer}, nil, http.NotFoundHandler(), Options{})))
	server.Config.ErrorLog = nil
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

const (
	listBegin = `{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[`
	listItem  = `{"metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}},"status":{}}`
	// sameItem is as long in all versions.
	sameItem  = `{"metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","firstAvailable":[]}]}},"status":{}}`
	allClaims = inVersion + "/resourceclaims"
)

// failing is an answer whose connection breaks.
func failing(text string) io.Reader {
	return io.MultiReader(strings.NewReader(text), brokenReader{errors.New("connection reset")})
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

func TestAPartOfAListIsNeverTakenForTheWhole(t *testing.T) {
	many := strings.Repeat(listItem+",", 2000) // more than waits for the first byte to be sent
	tests := map[string]io.Reader{
		"nothing":                                  strings.NewReader(""),
		"the connection breaks before the items":   failing(listBegin),
		"it breaks in an item":                     failing(listBegin + listItem + "," + listItem[:20]),
		"it breaks between items":                  failing(listBegin + listItem),
		"it breaks after much was sent":            failing(listBegin + many),
		"the answer ends after much was sent":      strings.NewReader(listBegin + many + listItem),
		"it ends before the last brace":            strings.NewReader(listBegin + many + listItem + "]"),
		"it goes on after the last brace":          strings.NewReader(listBegin + listItem + "]}{}"),
		"an item is no object":                     strings.NewReader(listBegin + many + "7]}"),
		"it is no JSON":                            strings.NewReader(listBegin + many + "}"),
		"it is another type of JSON":               strings.NewReader(`[]`),
		"an item is greater than any object":       io.MultiReader(strings.NewReader(listBegin+`{"metadata":{"name":"`), strings.NewReader(strings.Repeat("a", maxObject)), strings.NewReader(`"}}]}`)),
		"all but the items is greater than that":   io.MultiReader(strings.NewReader(`{"kind":"`), strings.NewReader(strings.Repeat("a", maxObject)), strings.NewReader(`"}`)),
		"white space is greater than any object":   io.MultiReader(strings.NewReader(listBegin+listItem), strings.NewReader(strings.Repeat(" ", maxObject+listBuffer)), strings.NewReader(`]}`)),
		"items of another kind than the list says": strings.NewReader(`{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1","items":[7]}`),
	}
	for name, answer := range tests {
		for _, accept := range []string{asJSON, asYAML} {
			if accept == asYAML {
				if name == "an item is greater than any object" || name == "all but the items is greater than that" || name == "white space is greater than any object" {
					continue // the reader is at its end
				}
			}
			t.Run(name+" as "+accept, func(t *testing.T) {
				if seeker, is := answer.(io.Seeker); is {
					_, _ = seeker.Seek(0, io.SeekStart)
				} else if accept == asYAML {
					t.Skip("read by now")
				}
				code, body, err := get(t, answer, allClaims, "Accept", accept)
				if err == nil && code < http.StatusInternalServerError {
					t.Errorf("code %d, and a body of %d bytes that looks whole: %.300s", code, len(body), body)
				}
			})
		}
	}
}

// generated is a list as long as one wants, written while it is read.
type generated struct {
	items int
	rest  []byte
	read  *atomic.Int64
	begun bool
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		switch {
		case !g.begun:
			g.begun, g.rest = true, []byte(listBegin)
		case g.items > 1:
			g.items, g.rest = g.items-1, []byte(sameItem+",")
		case g.items == 1:
			g.items, g.rest = 0, []byte(sameItem+"]}\n")
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	g.read.Add(int64(n))
	return n, nil
}

// counting is a client that is as fast as any; behind is how much was read of the store and is not with it yet.
type counting struct {
	*httptest.ResponseRecorder
	read    *atomic.Int64
	written int64
	behind  int64
}

func (c *counting) Write(p []byte) (int, error) {
	c.behind = max(c.behind, c.read.Load()-c.written)
	c.written += int64(len(p))
	return len(p), nil
}

func TestMemoryOfAListDoesNotGrowWithIt(t *testing.T) {
	const items = 100_000 // 10 MB
	var read atomic.Int64
	client := &counting{ResponseRecorder: httptest.NewRecorder(), read: &read}
	var outcome Outcome
	observe := func(ctx context.Context, _ Asked) (context.Context, func(Outcome)) {
		return ctx, func(o Outcome) { outcome = o }
	}
	list := New(crafted{&generated{items: items, read: &read}}, nil, nil, Options{Observe: observe})
	around(list).ServeHTTP(client, httptest.NewRequest(http.MethodGet, allClaims, nil))
	if want := (Outcome{Code: http.StatusOK, Items: items}); outcome != want {
		t.Errorf("want %v, got %v", want, outcome)
	}
	if client.behind > 3*listBuffer || client.written < read.Load() {
		t.Errorf("of %d bytes %d were read before they were written, and %d were written", read.Load(), client.behind, client.written)
	}
}

// The bound is for an item, and not for all that a list has.
func TestAListMayBeLongerThanAnyObject(t *testing.T) {
	item := `{"metadata":{"name":"a","annotations":{"a":"` + strings.Repeat("x", 1<<20) + `"}},"spec":{"devices":{}}},`
	all := strings.Repeat(item, maxObject>>20+2)
	code, body, err := get(t, strings.NewReader(listBegin+strings.TrimSuffix(all, ",")+"]}"), allClaims)
	if err != nil || code != http.StatusOK || len(body) < len(all) {
		t.Errorf("code %d, %d of %d bytes, %v", code, len(body), len(all), err)
	}
}

func TestEvents(t *testing.T) {
	const (
		claim   = `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}},"status":{}}`
		shown   = `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}},"status":{}}`
		partial = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}}`
		status  = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (2)","reason":"Expired","code":410}`
	)
	const reason = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"`
	frame := func(kind, object string) string { return `{"type":"` + kind + `","object":` + object + "}\n" }
	tests := map[string]struct {
		answer io.Reader
		want   string
	}{
		"objects are shown": {
			strings.NewReader(frame("ADDED", claim) + frame("MODIFIED", claim) + frame("DELETED", claim)), frame("ADDED", shown) + frame("MODIFIED", shown) + frame("DELETED", shown),
		},
		"annotations of a bookmark stay": {
			strings.NewReader(frame("BOOKMARK", `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"resourceVersion":"7","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"devices":{}},"status":{}}`)),
			frame("BOOKMARK", `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1","metadata":{"resourceVersion":"7","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"devices":{}},"status":{}}`),
		},
		"an error is passed on":               {strings.NewReader(frame("ERROR", status)), frame("ERROR", status)},
		"metadata is passed on":               {strings.NewReader(frame("ADDED", partial)), frame("ADDED", partial)},
		"the objects of a table are shown":    {strings.NewReader(frame("ADDED", `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":null,"rows":[{"cells":["a"],"object":`+claim+`}]}`)), frame("ADDED", `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":null,"rows":[{"cells":["a"],"object":`+shown+`}]}`)},
		"a frame that is cut off is not sent": {failing(frame("ADDED", claim) + frame("ADDED", claim)[:40]), frame("ADDED", shown)},
		"what is no frame ends it":            {strings.NewReader(frame("ADDED", claim) + "]" + frame("ADDED", claim)), frame("ADDED", shown)},
		"a frame greater than any ends it":    {io.MultiReader(strings.NewReader(frame("ADDED", claim)+`{"type":"`), strings.NewReader(strings.Repeat("a", maxObject))), frame("ADDED", shown) + reason},
		"an event that cannot be shown is an error to the client": {
			strings.NewReader(frame("ADDED", strings.Replace(claim, `[{"name":"r"`, `[7,{"name":"r"`, 1))), reason,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			code, body, err := get(t, test.answer, allClaims+"?watch=true")
			if code != http.StatusOK || err != nil {
				t.Fatalf("code %d, %v", code, err)
			}
			if strings.HasSuffix(test.want, reason) && strings.HasPrefix(body, test.want) && strings.Contains(body, `"code":500`) {
				return
			}
			if diff := cmp.Diff(test.want, body); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Which patches the store gets as they are, and which are put into the live object.
func TestPatchesOfWhatVersionsShareGoAsTheyAre(t *testing.T) {
	const beta1 = `"apiVersion":"resource.k8s.io/v1beta1"`
	tests := map[string]struct {
		path, contentType, patch string
		want                     string // what is sent; "" when the live object is read first
	}{
		"metadata":                         {claims + "/a", mergePatch, `{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"labels":{"a":"b"}}}`},
		"with the version and the kind":    {claims + "/a", strategicPatch, `{"kind":"ResourceClaim",` + beta1 + `,"metadata":{}}`, `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{}}`},
		"status":                           {claims + "/a/status", mergePatch, `{"status":{"reservedFor":null}}`, `{"status":{"reservedFor":null}}`},
		"metadata by operations":           {claims + "/a", jsonPatch, `[{"op":"add","path":"/metadata/labels/a","value":"b"}]`, `[{"op":"add","path":"/metadata/labels/a","value":"b"}]`},
		"from is for copies alone":         {claims + "/a", jsonPatch, `[{"op":"add","from":"/spec","path":"/metadata/labels/a","value":"b"}]`, `[{"op":"add","from":"/spec","path":"/metadata/labels/a","value":"b"}]`},
		"all of v1beta2":                   {"/apis/resource.k8s.io/v1beta2/namespaces/NS/resourceclaims/a", mergePatch, `{"spec":{}}`, `{"spec":{}}`},
		"the spec of a class":              {inVersion + "/deviceclasses/a", mergePatch, `{"spec":{}}`, `{"spec":{}}`},
		"metadata of alpha versions":       {"/apis/resource.k8s.io/v1alpha2/namespaces/NS/resourceclaims/a", mergePatch, `{"metadata":{}}`, `{"metadata":{}}`},
		"status of alpha versions":         {"/apis/resource.k8s.io/v1alpha2/namespaces/NS/resourceclaims/a/status", mergePatch, `{"status":{}}`, ""},
		"spec":                             {claims + "/a", mergePatch, `{"spec":{}}`, ""},
		"spec of a slice":                  {inVersion + "/resourceslices/a", mergePatch, `{"spec":{}}`, ""},
		"spec by operations":               {claims + "/a", jsonPatch, `[{"op":"add","path":"/metadata/labels/a","value":"b"},{"op":"test","path":"/spec","value":{}}]`, ""},
		"a copy of the spec":               {claims + "/a", jsonPatch, `[{"op":"copy","from":"/spec/devices","path":"/metadata/labels"}]`, ""},
		"a test of the version":            {claims + "/a", jsonPatch, `[{"op":"test","path":"/apiVersion","value":"resource.k8s.io/v1beta1"}]`, ""},
		"all of the object":                {claims + "/a", jsonPatch, `[{"op":"replace","path":"","value":{}}]`, ""},
		"all of the metadata":              {claims + "/a", jsonPatch, `[{"op":"replace","path":"/metadata","value":{}}]`, ""},
		"a path that another member hides": {claims + "/a", jsonPatch, `[{"op":"add","Path":"/metadata/labels/a","path":"/spec/x","value":1}]`, ""},
		"a path that looks like metadata":  {claims + "/a", jsonPatch, `[{"op":"add","path":"/metadata~1labels","value":1}]`, ""},
		"another version":                  {claims + "/a", mergePatch, `{"apiVersion":"resource.k8s.io/v1","metadata":{}}`, ""},
		"a version that is said twice":     {claims + "/a", mergePatch, `{"apiVersion":"resource.k8s.io/v1",` + beta1 + `}`, ""},
		"who wrote what":                   {claims + "/a", mergePatch, `{"metadata":{"managedFields":[{}]}}`, ""},
		"who wrote what, by operations":    {claims + "/a", jsonPatch, `[{"op":"remove","path":"/metadata/managedFields/0"}]`, ""},
		"an owner in an old version":       {claims + "/a", mergePatch, `{"metadata":{"ownerReferences":[{"apiVersion":"resource.k8s.io/v1beta1"}]}}`, ""},
		"one with its slash escaped": {
			claims + "/a", mergePatch, `{"metadata":{"ownerReferences":[{"apiVersion":"resource.k8s.io\/v1beta1"}]}}`, "",
		},
		"one by operations": {
			claims + "/a", jsonPatch, `[{"op":"add","path":"/metadata/ownerReferences","value":[{"apiVersion":"resource.k8s.io/v1beta1"}]}]`, "",
		},
		"an instruction for the whole object": {claims + "/a", strategicPatch, `{"$patch":"replace","metadata":{"name":"a"}}`, ""},
		"an instruction in the metadata":      {claims + "/a", strategicPatch, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a/b"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a/b"]}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sent := &recording{}
			req := httptest.NewRequest(http.MethodPatch, test.path, strings.NewReader(test.patch))
			req.Header.Set("Content-Type", test.contentType)
			around(New(sent, nil, nil, Options{})).ServeHTTP(httptest.NewRecorder(), req)
			if got := string(bytes.Join(sent.bodies, []byte("\n"))); got != test.want || sent.live != (test.want == "") {
				t.Errorf("want %s, got %s; the live object was read: %t", test.want, got, sent.live)
			}
		})
	}
}

// recording has no objects.
type recording struct {
	bodies [][]byte
	live   bool
}

func (r *recording) AsCaller(_ context.Context, request store.Request) (*http.Response, error) {
	r.bodies = append(r.bodies, request.Body)
	return notThere()
}

func (r *recording) Live(context.Context, store.Request, bool) (*http.Response, error) {
	r.live = true
	return notThere()
}

func notThere() (*http.Response, error) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
	return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{"Content-Type": {asJSON}}, Body: io.NopCloser(strings.NewReader(status))}, nil
}
