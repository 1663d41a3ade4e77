//go:build e2e

package cluster

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What docs/crd-differences.md says of custom resources, each beside the in-tree API where that serves claims.
func TestDifferencesFromBuiltIn(t *testing.T) {
	t.Parallel()
	const protobuf = "application/vnd.kubernetes.protobuf"
	apis := bothAPIs(t)
	here := apis["here"].space
	for _, a := range apis {
		if code, body := a.ask(t, http.MethodPost, "", a.claim("a"), nil); code != http.StatusCreated {
			t.Fatalf("%d: %s", code, body)
		}
	}
	tests := map[string]struct {
		method, path, body string
		header             map[string]string
		here, inTree       int
		// says is part of both answers.
		says string
	}{
		"a strategic merge patch": {
			method: http.MethodPatch, path: "/a", body: `{}`, header: map[string]string{"Content-Type": "application/strategic-merge-patch+json"},
			here: http.StatusUnsupportedMediaType, inTree: http.StatusOK,
		},
		"a PUT without resourceVersion": {method: http.MethodPut, path: "/a", here: http.StatusUnprocessableEntity, inTree: http.StatusOK},
		"reading protobuf": {
			method: http.MethodGet, path: "/a", header: map[string]string{"Accept": protobuf}, here: http.StatusNotAcceptable, inTree: http.StatusOK,
		},
		"reading protobuf or JSON": {
			method: http.MethodGet, path: "/a", header: map[string]string{"Accept": protobuf + ",application/json"}, here: http.StatusOK, inTree: http.StatusOK,
		},
		"a field selector by name":   {method: http.MethodGet, path: "?fieldSelector=metadata.name=a", here: http.StatusOK, inTree: http.StatusOK, says: `"name":"a"`},
		"a field selector by status": {method: http.MethodGet, path: "?fieldSelector=status.allocation=a", here: http.StatusBadRequest, inTree: http.StatusBadRequest},
		"an unknown field, strictly": {
			method: http.MethodPost, path: "?fieldValidation=Strict", body: `"extra":1,`, here: http.StatusBadRequest, inTree: http.StatusBadRequest, says: "unknown field",
		},
		"an unknown field": {method: http.MethodPost, path: "?fieldValidation=Warn&dryRun=All", body: `"extra":1,`, here: http.StatusCreated, inTree: http.StatusCreated},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for where, want := range map[string]int{"here": test.here, "in-tree": test.inTree} {
				a := apis[where]
				body := test.body
				switch test.method {
				case http.MethodPost:
					body = strings.Replace(a.claim("b"), "{", "{"+body, 1)
				case http.MethodPut:
					body = a.claim("a")
				}
				code, answer := a.ask(t, test.method, test.path, body, test.header)
				if code != want || !strings.Contains(answer, test.says) {
					t.Errorf("%s: %d, want %d: %s", where, code, want, answer)
				}
			}
		})
	}
	// A null in a list, on a status of an old version, which no API server of today has in-tree.
	o := here.createWithStatus(t, here.typical(t, "v1alpha1", claimKind, "null"))
	set(t, o, []any{nil}, "status", "allocation", "availableOnNodes", "nodeSelectorTerms")
	if _, err := here.claims("v1alpha1").UpdateStatus(t.Context(), o, metav1.UpdateOptions{}); !apierrors.IsInvalid(err) {
		t.Errorf("a null in a list: %v", err)
	}
	if generation := here.get(t, stored, claimKind, "a").GetGeneration(); generation != 1 {
		t.Errorf("generation %d", generation)
	}
}

// api of claims, in-tree or not.
type api struct {
	space
	apiVersion, spec string
}

func (a api) claim(name string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":"ResourceClaim","metadata":{"name":%q},%s}`, a.apiVersion, name, a.spec)
}

// ask about the claims of the namespace.
func (a api) ask(t *testing.T, method, path, body string, header map[string]string) (int, string) {
	t.Helper()
	return a.askPath(t, method, "/apis/"+a.apiVersion+"/namespaces/"+a.namespace+"/resourceclaims"+path, body, header)
}

func (a api) askPath(t *testing.T, method, path, body string, header map[string]string) (int, string) {
	t.Helper()
	config := rest.CopyConfig(a.Config)
	config.GroupVersion = &metav1.Unversioned
	config.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme())
	client := must.Get(rest.UnversionedRESTClientFor(config))(t)
	request := client.Verb(method).RequestURI(path).Body([]byte(body))
	request.SetHeader("Content-Type", "application/json")
	for name, value := range header {
		request.SetHeader(name, value)
	}
	var code int
	answer, _ := request.Do(context.Background()).StatusCode(&code).Raw() // the code says what went wrong
	return code, string(answer)
}
