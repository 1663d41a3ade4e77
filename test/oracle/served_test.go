//go:build oracle

package oracle

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// apiServer answers with dry runs of writes in a version on a kube-apiserver. It stores the old object of an update
// first. A question has no answer if the API server rejects this object or drops fields of it, such as those of
// disabled feature gates.
type apiServer struct {
	rest.Interface
	version string
}

func (s apiServer) answer(t *testing.T, question []byte) (a answer, known bool) {
	t.Helper()
	var q struct {
		Operation         string
		Object, OldObject json.RawMessage
	}
	must.Do(t, json.Unmarshal(question, &q))
	header := must.Get(conversion.ReadHeader(q.Object))(t)
	collection := "/apis/resource.k8s.io/" + s.version + "/namespaces/default/" + strings.ToLower(header.Kind) + "s"
	if q.Operation == "create" {
		return s.send(t, http.MethodPost, collection, true, q.Object)
	}
	object := collection + "/" + s.version // the name of the object
	stores := func(method, path, part string) bool {
		a, known := s.send(t, method, path, false, q.OldObject)
		if !known || a.Undecodable+a.Panic != "" || len(a.Errors) > 0 {
			return false
		}
		var sent, stored tree
		return json.Unmarshal(q.OldObject, &sent) == nil && json.Unmarshal(a.Object, &stored) == nil &&
			containsFields(stored[part], sent[part])
	}
	defer s.send(t, http.MethodDelete, object, false, nil)
	if !stores(http.MethodPost, collection, "spec") ||
		header.Kind == api.KindClaim && !stores(http.MethodPut, object+"/status", "status") {
		return a, false
	}
	return s.send(t, http.MethodPut, object+map[string]string{"status": "/status"}[q.Operation], true, q.Object)
}

// send sends a write. One that is too large for an API server has no answer.
func (s apiServer) send(t *testing.T, method, path string, dryRun bool, body []byte) (a answer, known bool) {
	t.Helper()
	request := s.Verb(method).AbsPath(path).Param("fieldValidation", "Ignore").SetHeader("Content-Type",
		"application/json").Body(body)
	if dryRun {
		request.Param("dryRun", "All")
	}
	result := request.Do(t.Context())
	err := result.Error()
	var rejected *apierrors.StatusError
	switch {
	case apierrors.IsRequestEntityTooLargeError(err):
		return a, false
	case err == nil:
		a.Object, _ = result.Raw()
	case apierrors.IsNotFound(err):
	case apierrors.IsBadRequest(err):
		a.Undecodable = err.Error()
	case apierrors.IsInternalError(err):
		a.Panic = err.Error()
	case errors.As(err, &rejected) && apierrors.IsInvalid(err):
		for _, c := range rejected.ErrStatus.Details.Causes {
			a.Errors = append(a.Errors, problem{string(c.Type), c.Field, c.Message})
		}
	default:
		t.Fatalf("%s %s: %v\n%s", method, path, err, clip(body))
	}
	return a, true
}

// containsFields reports whether a value has all fields of another one that are not empty. The value false is not
// empty: an API server with the feature gate disabled also drops adminAccess: false.
func containsFields(stored, sent any) bool {
	switch sent := sent.(type) {
	case tree:
		fields, isObject := stored.(tree)
		for name, value := range sent {
			if !containsFields(fields[name], value) {
				return false
			}
		}
		return isObject || len(sent) == 0
	case []any:
		items, _ := stored.([]any)
		for i, item := range sent {
			if i >= len(items) || !containsFields(items[i], item) {
				return false
			}
		}
	default:
		return stored != nil || sent == nil || sent == "" || sent == 0.0
	}
	return true
}

// TestAPIServersMatch compares results for new writes with those of real API servers, in each version that they serve.
// Every run tests the API server of the tests' control planes. Others are tested if their validators are chosen.
// CLAIMBRIDGE_SEED repeats a run, and CLAIMBRIDGE_WRITES sets the number of writes for each version.
func TestAPIServersMatch(t *testing.T) {
	assets := must.Get(controlplane.Assets(t.Context()))(t)
	t.Setenv(controlplane.EnvAssets, assets)
	selected := chosen(t)
	for _, v := range Validators {
		isDefaultServer := v.Name == api.Stored().Release
		if !isDefaultServer && !slices.ContainsFunc(selected, func(c Validator) bool { return c.Name == v.Name }) {
			continue
		}
		server := must.Get(controlplane.BuildAPIServer(t.Context(), v.Name))(t)
		if isDefaultServer || server != "" {
			t.Run("Kubernetes "+v.Name, func(t *testing.T) { compareWithAPIServer(t, v, server) })
		}
	}
}

func compareWithAPIServer(t *testing.T, v Validator, server string) {
	p := plane.New(t, plane.Options{
		Server: server, Users: []plane.User{plane.Administrator},
		RuntimeConfig: "resource.k8s.io/" + strings.Join(v.Versions, "=true,resource.k8s.io/") + "=true",
	})
	client := must.Get(kubernetes.NewForConfig(p.Config))(t)
	err := p.Apply(t.Context(),
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default",`+
			`"labels":{"resource.kubernetes.io/admin-access":"true"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	first, count, manifests := objects.Seed(t), objects.Count(t, "CLAIMBRIDGE_WRITES", 1000), corpus(t)
	t.Run("versions", func(t *testing.T) { // the plane stops after all of them
		for _, version := range v.Versions {
			t.Run(version, func(t *testing.T) {
				t.Parallel()
				u := &upstream{Validator: v, source: apiServer{client.RESTClient(), version}}
				n := compareNewWrites(t, u, version, first, manifests[version], func(w *writeTree) {
					w.old["metadata"] = tree{"name": version, "namespace": "default"}
					w.object["metadata"] = w.old["metadata"]
				}, func(n tally) bool { return n.compared < count })
				t.Logf("%d writes whose old object cannot be stored", u.unanswered)
				n.log(t)
			})
		}
	})
}
