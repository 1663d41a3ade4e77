package transcode

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestAWriteOfAProjectionNamesTheRemedy checks the message that kubectl prints.
func TestAWriteOfAProjectionNamesTheRemedy(t *testing.T) {
	const path = "/apis/resource.k8s.io/v1alpha2/namespaces/a/resourceclaims"
	target, _ := Parse(must.Get(url.Parse(path))(t))
	cluster := Cluster{Next: refusing{t}, Version: "v1", Release: func(*http.Request) string { return "1.36" }}
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader("{}"))
	response := must.Get(cluster.RoundTrip(request, target))(t)
	defer response.Body.Close()
	body := must.Get(io.ReadAll(response.Body))(t)
	const want = `"message":"resourceclaims.resource.k8s.io is read-only in v1alpha2 through this proxy: ` +
		`it supports get, list, watch and delete. ` +
		`Convert the object to v1 with 'claimbridge convert --to v1', and write it in that version"`
	if response.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(string(body), want) {
		t.Errorf("%s: %s", response.Status, body)
	}
}
