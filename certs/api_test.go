package certs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	secretPath    = "/api/v1/namespaces/ns/secrets/ca"
	crdPath       = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x"
	validatesPath = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hooks"
	mutatesPath   = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/hooks"
)

// api is a fake API server for failures: it stores objects by their paths, rejects writes with another resourceVersion,
// and fails on request. test/certificates tests rounds with a real API server.
type api struct {
	mutex    sync.Mutex
	objects  map[string]map[string]any
	failures map[string]int // HTTP status of a method and a path
	writes   []string
	version  int
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	call := r.Method + " " + r.URL.Path
	if code := a.failures[call]; code != 0 {
		http.Error(w, "injected error", code)
		return
	}
	var body map[string]any
	if r.Method != http.MethodGet {
		a.writes = append(a.writes, call)
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	objectPath := r.URL.Path
	if r.Method == http.MethodPost {
		objectPath = path.Join(objectPath, body["metadata"].(map[string]any)["name"].(string))
	}
	stored, exists := a.objects[objectPath]
	meta, _ := body["metadata"].(map[string]any)
	switch {
	case !exists && r.Method != http.MethodPost:
		http.Error(w, "not found", http.StatusNotFound)
		return
	case exists && r.Method != http.MethodGet &&
		meta["resourceVersion"] != stored["metadata"].(map[string]any)["resourceVersion"]:
		http.Error(w, "the object has been modified", http.StatusConflict)
		return
	case r.Method == http.MethodPatch && r.URL.Path == crdPath:
		stored, _ = strategicpatch.StrategicMergeMapPatch(stored, body, apiextensionsv1.CustomResourceDefinition{})
	case r.Method == http.MethodPatch:
		stored, _ = strategicpatch.StrategicMergeMapPatch(stored, body,
			admissionregistrationv1.ValidatingWebhookConfiguration{})
	case r.Method != http.MethodGet:
		stored = body
	}
	if r.Method != http.MethodGet {
		a.store(objectPath, stored)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(stored)
}

func (a *api) store(path string, object map[string]any) {
	a.version++
	object["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(a.version)
	a.objects[path] = object
}

func parsed(t *testing.T, format string, args ...any) map[string]any {
	t.Helper()
	var object map[string]any
	must.Do(t, json.Unmarshal(fmt.Appendf(nil, format, args...), &object))
	return object
}

// bundleMetrics returns the objects of the metric ca_bundle_mismatch, and whether their caBundles contain the CA.
func (a *Shared) bundleMetrics(t *testing.T) map[string]bool {
	t.Helper()
	objects := map[string]bool{}
	for _, family := range must.Get(a.metrics.Collector.(*prometheus.Registry).Gather())(t) {
		if family.GetName() != "claimbridge_ca_bundle_mismatch" {
			continue
		}
		for _, metric := range family.GetMetric() {
			objects[metric.GetLabel()[0].GetValue()] = metric.GetGauge().GetValue() == 0
		}
	}
	return objects
}

// newTestShared returns an authority and its API server, which has an empty Secret, a CRD with a conversion webhook,
// and a validating configuration with two webhooks.
func newTestShared(t *testing.T) (*Shared, *api) {
	t.Helper()
	server := &api{objects: map[string]map[string]any{}, failures: map[string]int{}}
	server.store(secretPath,
		parsed(t,
			`{"kind":"Secret","apiVersion":"v1","metadata":{"name":"ca","namespace":"ns"},"data":{"tls.crt":"",`+
				`"tls.key":"","mine":"eA=="}}`))
	server.store(crdPath,
		parsed(t, `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"x"},`+
			`"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"Cg=="}}}}}`))
	server.store(validatesPath,
		parsed(t,
			`{"kind":"ValidatingWebhookConfiguration","apiVersion":"admissionregistration.k8s.io/v1",`+
				`"metadata":{"name":"hooks"},`+
				`"webhooks":[{"name":"one","clientConfig":{}},{"name":"two","clientConfig":{}}]}`))
	httpServer := httptest.NewServer(server)
	t.Cleanup(httpServer.Close)
	shared := must.Get(NewShared(Config{
		Cluster: &rest.Config{
			Host:          httpServer.URL,
			ContentConfig: rest.ContentConfig{ContentType: "application/json"},
		},
		Namespace:            "ns",
		Name:                 "ca",
		CRDs:                 []string{"x"},
		WebhookConfiguration: "hooks",
		Clock:                testclock.NewFakePassiveClock(start), Logger: logr.Discard(),
	}))(t)
	return shared, server
}
