//go:build e2e

package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// difference is an entry of testdata/http.yaml: a request for an existing claim, and the responses of both APIs.
type difference struct {
	// Before is a merge patch that is applied to the claim first. The fields Do and Body are the request.
	Do, Before, Body string
	Header           map[string]string
	Custom, BuiltIn  struct {
		Code int
		// Contains must be in the response, and on the pages. Excludes must not be in the response.
		Contains, Excludes string
		Pages              []string
	}
}

// TestDifferencesFromBuiltIn checks the documented differences of requests, bodies and responses from the built-in API.
func TestDifferencesFromBuiltIn(t *testing.T) {
	t.Parallel()
	var all map[string]difference
	must.Do(t, yaml.UnmarshalStrict(must.Get(os.ReadFile(filepath.Join("testdata", "http.yaml")))(t), &all))
	const spec = `"spec":{"devices":{"requests":[{"name":"a",%s}]}}`
	custom := api{withoutBuiltIn.space(t), "resource.k8s.io/v1alpha3", fmt.Sprintf(spec, `"deviceClassName":"c"`)}
	builtIn := api{customGroup.space(t), "resource.k8s.io/v1", fmt.Sprintf(spec, `"exactly":{"deviceClassName":"c"}`)}
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			claim := strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(name))
			for a, want := range map[*api]struct {
				Code               int
				Contains, Excludes string
				Pages              []string
			}{&custom: test.Custom, &builtIn: test.BuiltIn} {
				version := a.create(t, claim)
				if test.Before != "" {
					version = a.versionOf(t, http.MethodPatch, "/"+claim, test.Before,
						map[string]string{"Content-Type": "application/merge-patch+json"})
				}
				placeholders := strings.NewReplacer("CLAIM", a.claim(claim), "NAME", claim, "KIND", `"kind":"ResourceClaim"`,
					"API", `"apiVersion":"`+a.apiVersion+`"`, "RV", version, "POD", pod("one"),
					"SPEC", a.spec, "DEFAULTED", strings.Replace(a.spec, `"deviceClassName"`,
						`"allocationMode":"ExactCount","count":1,"deviceClassName"`, 1))
				method, path, _ := strings.Cut(placeholders.Replace(test.Do), " ")
				code, body := a.request(t, method, path, placeholders.Replace(test.Body), test.Header)
				if code != want.Code || !strings.Contains(body, placeholders.Replace(want.Contains)) ||
					want.Excludes != "" && strings.Contains(body, want.Excludes) {
					t.Errorf("%s: got %d %s\nwant %+v", a.apiVersion, code, body, want)
				}
				for _, page := range want.Pages {
					checkPage(t, page, want.Contains)
				}
			}
		})
	}
}

// checkPage checks that a page of the documentation has an error text.
func checkPage(t *testing.T, page, text string) {
	t.Helper()
	document := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", page)))(t)
	if !strings.Contains(string(document), text) {
		t.Errorf("docs/%s does not have the text %q", page, text)
	}
}

// api is an API of claims, built-in or of a CRD.
type api struct {
	space
	apiVersion, spec string
}

func (a api) claim(name string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":"ResourceClaim","metadata":{"name":%q},%s}`, a.apiVersion, name, a.spec)
}

// create creates a claim and returns its resourceVersion.
func (a api) create(t *testing.T, name string) string {
	t.Helper()
	return a.versionOf(t, http.MethodPost, "", a.claim(name), nil)
}

// versionOf returns the resourceVersion of the claim in the response to a write, which must succeed.
func (a api) versionOf(t *testing.T, method, path, body string, header map[string]string) string {
	t.Helper()
	code, response := a.request(t, method, path, body, header)
	o := &object{}
	if err := o.UnmarshalJSON([]byte(response)); err != nil || code >= http.StatusBadRequest {
		t.Fatalf("%s: %d, %v: %s", a.apiVersion, code, err, response)
	}
	return o.GetResourceVersion()
}

// request sends a request for the claims of the namespace, and returns the status code and the body of the response.
func (a api) request(t *testing.T, method, path, body string, header map[string]string) (int, string) {
	t.Helper()
	return a.requestResource(t, plurals[claimKind], method, path, body, header)
}

func (a api) requestResource(t *testing.T, plural, method, path, body string, header map[string]string) (int, string) {
	t.Helper()
	config := rest.CopyConfig(a.Config)
	config.GroupVersion = &metav1.Unversioned
	config.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme())
	client := must.Get(rest.UnversionedRESTClientFor(config))(t)
	request := client.Verb(method).RequestURI("/apis/" + a.apiVersion + "/namespaces/" + a.namespace + "/" + plural +
		path).Body([]byte(body))
	request.SetHeader("Content-Type", "application/json")
	for name, value := range header {
		request.SetHeader(name, value)
	}
	var code int
	response, _ := request.Do(context.Background()).StatusCode(&code).Raw() // errors have a status code
	return code, string(response)
}

// TestColumnsShowFirstItemOfLists checks the columns of a table. Each shows one value, which is the first item of a
// list.
func TestColumnsShowFirstItemOfLists(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	o := s.claimWithHiddenData(t, "two", "rack-1")
	set(t, o, []any{
		map[string]any{"request": "nic", "driver": "nic.example.com", "pool": "rack-1", "device": "nic-0"},
		map[string]any{"request": "gpu", "driver": "gpu.example.com", "pool": "rack-2", "device": "gpu-0"},
	}, "status", "allocation", "devices", "results")
	s.createWithStatus(t, set(t, o, []any{consumer(0), consumer(1)}, "status", "reservedFor"))
	a := api{space: s, apiVersion: s.group + "/" + stored}
	code, body := a.request(t, http.MethodGet, "/two", "", map[string]string{
		"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1",
	})
	var table struct {
		ColumnDefinitions []struct{ Name string }
		Rows              []struct{ Cells []any }
	}
	if err := json.Unmarshal([]byte(body), &table); err != nil || code != http.StatusOK || len(table.Rows) != 1 {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	cells := map[string]any{}
	for i, column := range table.ColumnDefinitions {
		cells[column.Name] = table.Rows[0].Cells[i]
	}
	for column, want := range map[string]string{
		"DeviceClassName": "gpu.example.com",
		"Driver":          "nic.example.com",
		"ReservedFor":     "pod-0",
		"Pool":            "rack-1",
		"Device":          "nic-0",
	} {
		equal(t, column, cells[column], any(want))
	}
}

// TestNullInListIsRejected writes a null into a list in the status of an old version, which no current API server
// serves.
func TestNullInListIsRejected(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	o := s.createWithStatus(t, s.typicalObject(t, "v1alpha1", claimKind, "null"))
	set(t, o, []any{nil}, "status", "allocation", "availableOnNodes", "nodeSelectorTerms")
	if _, err := s.claims("v1alpha1").UpdateStatus(t.Context(), o, metav1.UpdateOptions{}); !apierrors.IsInvalid(err) {
		t.Errorf("write of a null in a list: got error %v, want Invalid", err)
	}
	if generation := s.get(t, stored, claimKind, "null").GetGeneration(); generation != 1 {
		t.Errorf("generation: got %d, want 1: the write must not be stored", generation)
	}
}

// TestNumbersInParametersAreKept checks numbers in opaque parameters, which are JSON numbers of a custom resource.
// 64-bit integers are kept. Larger numbers and fractions are converted to doubles, in every version alike. The built-in
// API keeps the bytes.
func TestNumbersInParametersAreKept(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	s.create(t, s.typicalObject(t, stored, claimKind, "numbers"))
	patch := `[{"op":"add","path":"/status","value":{"allocation":{"devices":{
		"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p","device":"d"}],
		"config":[{"source":"FromClass","opaque":{"driver":"gpu.example.com","parameters":{"safe":9007199254740993,
			"huge":123456789012345678901,"f":1.50}}}]}}}}]`
	must.Get(s.claims(stored).Patch(t.Context(), "numbers", types.JSONPatchType, []byte(patch), metav1.PatchOptions{},
		"status"))(t)
	old := s.get(t, "v1alpha2", claimKind, "numbers")
	handles, _, _ := unstructured.NestedSlice(old.Object, "status", "allocation", "resourceHandles")
	if len(handles) != 1 {
		t.Fatalf("resourceHandles: got %v, want one", handles)
	}
	want := map[string]any{"safe": int64(9007199254740993), "huge": 123456789012345678901.0, "f": 1.5}
	parameters, _, _ := unstructured.NestedFieldNoCopy(handles[0].(map[string]any), "structuredData",
		"vendorClassParameters")
	equal(t, "parameters in v1alpha2", parameters, any(want))
	// A client of the old version writes the same numbers back.
	if _, err := s.claims("v1alpha2").UpdateStatus(t.Context(), old, metav1.UpdateOptions{}); apierrors.IsInvalid(err) {
		t.Errorf("write of the same numbers: got %v, want no error", err)
	} else if err != nil {
		t.Error(err)
	}
}
