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

// served is a kube-apiserver, which answers by dry runs of writes in a version. What an update
// finds there is written first: if it may not be, or if the API server drops fields of it, as those
// behind gates that are off, the question has no answer.
type served struct {
	rest.Interface
	version string
}

func (s served) answer(t *testing.T, question []byte) (a answer, known bool) {
	t.Helper()
	var q struct {
		Operation         string
		Object, OldObject json.RawMessage
	}
	must.Do(t, json.Unmarshal(question, &q))
	header := must.Get(conversion.ReadHeader(q.Object))(t)
	all := "/apis/resource.k8s.io/" + s.version + "/namespaces/default/" + strings.ToLower(header.Kind) + "s"
	if q.Operation == "create" {
		return s.send(t, http.MethodPost, all, true, q.Object)
	}
	one := all + "/" + s.version // its name
	keeps := func(method, path, part string) bool {
		a, known := s.send(t, method, path, false, q.OldObject)
		if !known || a.Undecodable+a.Panic != "" || len(a.Errors) > 0 {
			return false
		}
		var sent, stored tree
		return json.Unmarshal(q.OldObject, &sent) == nil && json.Unmarshal(a.Object, &stored) == nil &&
			has(stored[part], sent[part])
	}
	defer s.send(t, http.MethodDelete, one, false, nil)
	if !keeps(http.MethodPost, all, "spec") ||
		header.Kind == api.KindClaim && !keeps(http.MethodPut, one+"/status", "status") {
		return a, false
	}
	return s.send(t, http.MethodPut, one+map[string]string{"status": "/status"}[q.Operation], true, q.Object)
}

// send a write. One that is too large for an API server has no answer.
func (s served) send(t *testing.T, method, path string, dryRun bool, body []byte) (a answer, known bool) {
	t.Helper()
	request := s.Verb(method).AbsPath(path).Param("fieldValidation", "Ignore").SetHeader("Content-Type",
		"application/json").Body(body)
	if dryRun {
		request.Param("dryRun", "All")
	}
	result := request.Do(t.Context())
	err := result.Error()
	var refused *apierrors.StatusError
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
	case errors.As(err, &refused) && apierrors.IsInvalid(err):
		for _, c := range refused.ErrStatus.Details.Causes {
			a.Errors = append(a.Errors, problem{string(c.Type), c.Field, c.Message})
		}
	default:
		t.Fatalf("%s %s: %v\n%s", method, path, err, clip(body))
	}
	return a, true
}

// has tells whether a value has all fields that another one has with something in them, and false
// is something: behind a closed gate an API server drops adminAccess of either value.
func has(stored, sent any) bool {
	switch sent := sent.(type) {
	case tree:
		fields, is := stored.(tree)
		for name, value := range sent {
			if !has(fields[name], value) {
				return false
			}
		}
		return is || len(sent) == 0
	case []any:
		items, _ := stored.([]any)
		for i, item := range sent {
			if i >= len(items) || !has(items[i], item) {
				return false
			}
		}
	default:
		return stored != nil || sent == nil || sent == "" || sent == 0.0
	}
	return true
}

// TestAnAPIServerAgrees asks real ones about fresh writes in each version that they serve, by dry
// runs: result, types and paths are ours. That of the control planes of tests is asked in every
// run, another one with its validator. CLAIMBRIDGE_SEED replays a run, CLAIMBRIDGE_WRITES sets how many
// there are for each version.
func TestAnAPIServerAgrees(t *testing.T) {
	assets := must.Get(controlplane.Assets(t.Context()))(t)
	t.Setenv(controlplane.EnvAssets, assets)
	asked := chosen(t)
	for _, v := range Validators {
		isOfTheAssets := v.Name == api.Stored().Release
		if !isOfTheAssets && !slices.ContainsFunc(asked, func(c Validator) bool { return c.Name == v.Name }) {
			continue
		}
		server := must.Get(controlplane.Server(t.Context(), v.Name))(t)
		if isOfTheAssets || server != "" {
			t.Run("Kubernetes "+v.Name, func(t *testing.T) { aServerAgrees(t, v, server) })
		}
	}
}

func aServerAgrees(t *testing.T, v Validator, server string) {
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
	t.Run("versions", func(t *testing.T) { // which end before the plane does
		for _, version := range v.Versions {
			t.Run(version, func(t *testing.T) {
				t.Parallel()
				u := &upstream{Validator: v, source: served{client.RESTClient(), version}}
				n := agrees(t, u, version, first, manifests[version], func(w *writeTree) {
					w.old["metadata"] = tree{"name": version, "namespace": "default"}
					w.object["metadata"] = w.old["metadata"]
				}, func(n tally) bool { return n.made < count })
				t.Logf("%d upon what nobody could have stored", u.unanswered)
				n.log(t)
			})
		}
	})
}
