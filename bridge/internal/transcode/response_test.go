package transcode

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// clusterWithBody returns a body for every request.
type clusterWithBody struct{ body io.Reader }

func (c clusterWithBody) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(c.body),
	}, nil
}

const (
	listPath = "/apis/resource.k8s.io/v1/resourceclaims"
	item     = `{"metadata":{"name":"b"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}}}`
	v1Item   = `{"metadata":{"name":"b"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}}}`
)

func TestLists(t *testing.T) {
	for name, test := range map[string]struct{ list, want string }{
		"of objects": {
			`{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1beta1","metadata":{"continue":"x"},"items":[` +
				item + `,` + item + `]}`,
			`{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1","metadata":{"continue":"x"},"items":[` +
				v1Item + `,` + v1Item + `]}`,
		},
		"of nothing": {
			`{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1beta1","items":[]}`,
			`{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1","items":[]}`,
		},
		"of metadata": {
			`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[{"metadata":{}}]}`,
			`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[{"metadata":{}}]}`,
		},
		"in a table": {
			`{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{"cells":["b"],"object":` + v1beta1Claim +
				`},{"cells":[],"object":{"kind":"PartialObjectMetadata"}}]}`,
			`{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{"cells":["b"],"object":` + v1Claim +
				`},{"cells":[],"object":{"kind":"PartialObjectMetadata"}}]}`,
		},
		"an empty object": {`{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, got := roundTrip(t, clusterWithBody{strings.NewReader(test.list)}, "v1beta1", http.MethodGet, listPath,
				"", "")
			if code != http.StatusOK || got != test.want+"\n" {
				t.Errorf("got %d %s\nwant 200 %s", code, got, test.want)
			}
		})
	}
}

// TestObjectIsNotWatched checks that the parameter watch is ignored for a single object, as in API servers.
func TestObjectIsNotWatched(t *testing.T) {
	cluster := &fakeCluster{code: http.StatusOK, body: v1beta1Claim}
	code, _, got := roundTrip(t, cluster, "v1beta1", http.MethodGet, claimPath+"?watch=true", "", "")
	if code != http.StatusOK || got != v1Claim {
		t.Errorf("got %d %s, want 200 %s", code, got, v1Claim)
	}
}

// TestInvalidListsAreErrors checks that the client gets an error instead of a part of a list, or unconverted items.
func TestInvalidListsAreErrors(t *testing.T) {
	const begin = `{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1beta1","items":[` + item
	broken := errors.New("broken")
	for name, body := range map[string]io.Reader{
		"the end":       strings.NewReader(begin),
		"after a comma": strings.NewReader(begin + ","),
		"an error":      io.MultiReader(strings.NewReader(begin), errorReader{broken}),
		"not an object": strings.NewReader(begin + ",5]}"),
		"items first": strings.NewReader(`{"kind":"ResourceClaimList","items":[` + item +
			`],"apiVersion":"resource.k8s.io/v1beta1"}`),
	} {
		t.Run(name, func(t *testing.T) {
			resp := send(t, clusterWithBody{body}, "v1beta1", newTestRequest(http.MethodGet, listPath, ""))
			defer resp.Body.Close()
			if read, err := io.ReadAll(resp.Body); err == nil {
				t.Errorf("got %s, want an error", read)
			}
		})
	}
}

// TestListsAreStreamed checks that the client gets items before the cluster sends the end of the list, so that a list
// of any length needs a limited amount of memory.
func TestListsAreStreamed(t *testing.T) {
	in, out := io.Pipe()
	const begin = `{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1beta1","items":[`
	items := strings.Repeat(item+",", 4*listBufferBytes/len(item))
	sentHalf := make(chan struct{})
	go func() {
		_, _ = io.WriteString(out, begin+items)
		close(sentHalf)
		_, _ = io.WriteString(out, item+"]}")
		_ = out.Close()
	}()
	resp := send(t, clusterWithBody{in}, "v1beta1", newTestRequest(http.MethodGet, listPath, ""))
	defer resp.Body.Close()
	select {
	case <-sentHalf:
		t.Error("the list was read before the client read it")
	case <-time.After(50 * time.Millisecond):
	}
	first := make([]byte, 2*len(begin))
	if _, err := io.ReadFull(resp.Body, first); err != nil || !strings.Contains(string(first), `"items":[`) {
		t.Fatalf("%v: %s", err, first)
	}
	rest, err := io.ReadAll(resp.Body)
	got, want := strings.Count(string(first)+string(rest), "exactly"), 4*listBufferBytes/len(item)+1
	if err != nil || got != want {
		t.Errorf("got %d items and the error %v, want %d items", got, err, want)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func TestWatches(t *testing.T) {
	broken := errors.New("broken")
	const bookmark = `{"type":"BOOKMARK","object":{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/%s",` +
		`"metadata":{"resourceVersion":"5"},"spec":{"devices":{}}}}`
	const failure = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410}}`
	events := func(claim, version string) string {
		lines := []string{`{"type":"ADDED","object":` + claim + `}`, strings.ReplaceAll(bookmark, "%s", version), failure}
		return strings.Join(lines, "\n") + "\n"
	}
	for name, test := range map[string]struct {
		end io.Reader
		err error
	}{
		"ended by the cluster": {strings.NewReader(""), nil},
		"ended in an event":    {strings.NewReader(`{"type":`), io.ErrUnexpectedEOF},
		"broken":               {errorReader{broken}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			body := io.MultiReader(strings.NewReader(events(v1beta1Claim, "v1beta1")), test.end)
			resp := send(t, clusterWithBody{body}, "v1beta1", newTestRequest(http.MethodGet, listPath+"?watch=1", ""))
			defer resp.Body.Close()
			got, err := io.ReadAll(resp.Body)
			if want := events(v1Claim, "v1"); string(got) != want || !errors.Is(err, test.err) {
				t.Errorf("%v\n got %s\nwant %s", err, got, want)
			}
		})
	}
}

// TestListItemsAreLimited checks that a response needs a limited amount of memory.
func TestListItemsAreLimited(t *testing.T) {
	body := io.MultiReader(strings.NewReader(`{"items":[{"metadata":{"name":"`),
		io.LimitReader(repeatingReader('a'), maxObjectBytes+1), strings.NewReader(`"}}]}`))
	resp := send(t, clusterWithBody{body}, "v1beta1", newTestRequest(http.MethodGet, listPath, ""))
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err == nil || !strings.Contains(err.Error(), "exceeds the limit") {
		t.Error(err)
	}
}

type repeatingReader byte

func (r repeatingReader) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte{byte(r)}, len(p))), nil
}
