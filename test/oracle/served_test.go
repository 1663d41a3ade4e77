//go:build oracle

package oracle

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/objects"
)

// served is a kube-apiserver, which answers by dry runs of writes in a version. What an update finds there is written first: if it may not be,
// the question has no answer.
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
	if err := json.Unmarshal(question, &q); err != nil {
		t.Fatal(err)
	}
	header, err := conversion.ReadHeader(q.Object)
	if err != nil {
		t.Fatal(err)
	}
	all := "/apis/resource.k8s.io/" + s.version + "/namespaces/default/" + strings.ToLower(header.Kind) + "s"
	if q.Operation == "create" {
		return s.send(t, http.MethodPost, all, true, q.Object)
	}
	one := all + "/" + s.version // its name
	accepts := func(method, path string) bool {
		a, known := s.send(t, method, path, false, q.OldObject)
		return known && a.Undecodable+a.Panic == "" && len(a.Errors) == 0
	}
	defer s.send(t, http.MethodDelete, one, false, nil)
	if !accepts(http.MethodPost, all) || header.Kind == api.KindClaim && !accepts(http.MethodPut, one+"/status") {
		return a, false
	}
	return s.send(t, http.MethodPut, one+map[string]string{"status": "/status"}[q.Operation], true, q.Object)
}

// send a write. One that is too large for an API server has no answer.
func (s served) send(t *testing.T, method, path string, dryRun bool, body []byte) (a answer, known bool) {
	t.Helper()
	request := s.Verb(method).AbsPath(path).Param("fieldValidation", "Ignore").SetHeader("Content-Type", "application/json").Body(body)
	if dryRun {
		request.Param("dryRun", "All")
	}
	err := request.Do(t.Context()).Error()
	var refused *apierrors.StatusError
	switch {
	case apierrors.IsRequestEntityTooLargeError(err):
		return a, false
	case err == nil, apierrors.IsNotFound(err):
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

// TestAnAPIServerAgrees asks a real one about fresh writes in each version that it serves, by dry runs: verdict, types and paths are ours.
// CLAIMBRIDGE_SEED replays a run, CLAIMBRIDGE_WRITES sets how many there are for each version.
func TestAnAPIServerAgrees(t *testing.T) {
	assets, err := controlplane.Assets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(controlplane.EnvAssets, assets)
	j, _ := Find(api.Stored().Release) // that of the control planes of tests
	serves := "resource.k8s.io/" + strings.Join(j.Versions, "=true,resource.k8s.io/") + "=true"
	p := plane.New(t, plane.Options{Users: []plane.User{plane.Administrator}, RuntimeConfig: serves})
	client, err := kubernetes.NewForConfig(p.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(t.Context(), `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default","labels":{"resource.kubernetes.io/admin-access":"true"}}}`); err != nil {
		t.Fatal(err)
	}
	first, count, manifests := objects.Seed(t), objects.Count(t, "CLAIMBRIDGE_WRITES", 1000), corpus(t)
	t.Run("versions", func(t *testing.T) { // which end before the plane does
		for _, version := range j.Versions {
			t.Run(version, func(t *testing.T) {
				t.Parallel()
				u := &upstream{Judge: j, source: served{client.RESTClient(), version}}
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
