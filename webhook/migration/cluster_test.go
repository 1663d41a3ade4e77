package migration

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

const (
	testGroup       = "claims.example.com"
	claimDefinition = "resourceclaims." + testGroup
)

// fakeCluster answers like an API server with pages of claims, some of them stored in v1alpha3, and without templates. It records what it
// is asked.
type fakeCluster struct {
	// pages of names, by the token that asks for them.
	pages map[string]fakePage
	// refuse answers a request instead; nil refuses none.
	refuse func(asked string) *apierrors.StatusError
	// definition is what the nth get of the definition of claims finds, the first being 1: by default always the same.
	definition func(get int) fakeDefinition

	lock  sync.Mutex
	gets  int
	asked []string
}

type fakePage struct {
	names []string
	next  string
	left  int64
}

type fakeDefinition struct {
	uid, resourceVersion string
	generation           int
}

func (c *fakeCluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.lock.Lock()
	defer c.lock.Unlock()
	w.Header().Set("Content-Type", "application/json")
	body, _ := io.ReadAll(r.Body)
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	query := r.URL.Query()
	if strings.Contains(r.URL.Path, "/customresourcedefinitions/") {
		asked := "get definition"
		if r.Method == http.MethodPatch {
			asked = "patch " + path[len(path)-1] + " of definition " + string(body)
		}
		if path[4] == claimDefinition && !c.refuses(w, asked) {
			c.showDefinition(w, r.Method == http.MethodGet, `"v1alpha3","v1"`)
		} else if path[4] != claimDefinition {
			fmt.Fprintf(w, definitionJSON, path[4], "2", 1, "1", "resourceclaimtemplates", `"v1"`)
		}
		return
	}
	name := path[len(path)-1]
	if r.Method == http.MethodPatch {
		asked := "patch " + name
		if query.Has("dryRun") {
			asked = "try " + name
		}
		if !c.refuses(w, asked) {
			fmt.Fprint(w, claimJSON(name, "2"))
		}
		return
	}
	token := query.Get("continue")
	if c.refuses(w, fmt.Sprintf("list %s limit=%s continue=%s", path[2], query.Get("limit"), token)) {
		return
	}
	page := c.pages[token]
	var items []string
	for _, name := range page.names {
		items = append(items, claimJSON(name, "1"))
	}
	fmt.Fprintf(w, `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","metadata":{"continue":%q,"remainingItemCount":%d},"items":[%s]}`,
		page.next, page.left, strings.Join(items, ","))
}

const definitionJSON = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
	"metadata":{"name":%q,"uid":%q,"generation":%d,"resourceVersion":%q},
	"spec":{"group":"claims.example.com","names":{"plural":%q},"conversion":{"strategy":"Webhook"},
		"versions":[{"name":"v1alpha3","served":true},{"name":"v1","served":true,"storage":true}]},
	"status":{"storedVersions":[%s]}}`

func (c *fakeCluster) showDefinition(w io.Writer, get bool, stored string) {
	if get {
		c.gets++
	}
	d := fakeDefinition{uid: "1", resourceVersion: "7", generation: 1}
	if c.definition != nil {
		d = c.definition(c.gets)
	}
	fmt.Fprintf(w, definitionJSON, claimDefinition, d.uid, d.generation, d.resourceVersion, "resourceclaims", stored)
}

func claimJSON(name, resourceVersion string) string {
	return fmt.Sprintf(`{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"namespace":"default","name":%q,"resourceVersion":%q}}`, name, resourceVersion)
}

// refuses what is asked, which is recorded in any case.
func (c *fakeCluster) refuses(w http.ResponseWriter, asked string) bool {
	c.asked = append(c.asked, asked)
	if c.refuse == nil {
		return false
	}
	err := c.refuse(asked)
	if err == nil {
		return false
	}
	status := err.ErrStatus
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
	return true
}

// run a migration of the cluster. It returns the outcome of the claims, and the names of those that failed.
func (c *fakeCluster) run(t *testing.T, o Options) (outcome Outcome, failed []string, err error) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	o.Group, o.Rate, o.Settle = testGroup, 100_000, time.Nanosecond
	o.Failed = func(f Failure) { failed = append(failed, f.Name) }
	outcomes, err := Run(t.Context(), &rest.Config{Host: server.URL}, o)
	if len(outcomes) == 0 {
		t.Fatalf("nothing was done: %v", err)
	}
	return outcomes[0], failed, err
}

// patchesOfStatus that were asked for.
func (c *fakeCluster) patchesOfStatus() (patches []string) {
	for _, asked := range c.asked {
		if patch, ok := strings.CutPrefix(asked, "patch status of definition "); ok {
			patches = append(patches, patch)
		}
	}
	return patches
}
