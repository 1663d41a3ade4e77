package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const migratedGroup = "claims.example.com"

// migrateServer is an API server with definitions of claimbridge's and some claims that are stored in v1alpha3.
type migrateServer struct {
	claims int
	// refuse answers a request instead, by its method and what it is of: "PATCH claim-0", "GET definition", "LIST claims".
	refuse func(asked string) *apierrors.StatusError
}

func (s *migrateServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	asked := r.Method + " " + name
	definition := strings.Contains(r.URL.Path, "/customresourcedefinitions/")
	switch {
	case definition:
		asked = r.Method + " definition"
	case r.Method == http.MethodGet:
		asked = "LIST " + name
	}
	w.Header().Set("Content-Type", "application/json")
	if err := s.refuse(asked); err != nil {
		w.WriteHeader(int(err.ErrStatus.Code))
		err.ErrStatus.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		_ = json.NewEncoder(w).Encode(err.ErrStatus)
		return
	}
	claim := func(name string) string {
		return fmt.Sprintf(`{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"namespace":"default","name":%q,"resourceVersion":"1"}}`, name)
	}
	switch {
	case definition:
		plural, _, _ := strings.Cut(name, ".")
		fmt.Fprintf(w, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":%q,"uid":"1","generation":1},
			"spec":{"group":%q,"names":{"plural":%q},"conversion":{"strategy":"Webhook"},"versions":[{"name":"v1","served":true,"storage":true}]},
			"status":{"storedVersions":["v1alpha3","v1"]}}`, name, migratedGroup, plural)
	case r.Method == http.MethodPatch:
		fmt.Fprint(w, claim(name))
	default:
		var items []string
		for i := range s.claims {
			items = append(items, claim(fmt.Sprintf("claim-%d", i)))
		}
		fmt.Fprintf(w, `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","metadata":{},"items":[%s]}`, strings.Join(items, ","))
	}
}

// migrate the claims of a server.
func (s *migrateServer) migrate(t *testing.T, dryRun bool) (stdout, stderr string, err error) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	cluster := newClusterFlags()
	cluster.overrides.ClusterInfo.Server, cluster.flags = server.URL, &pflag.FlagSet{}
	o := migrateOptions{cluster: cluster, group: migratedGroup, rate: 1000, settle: time.Millisecond, dryRun: dryRun}
	var out, errs bytes.Buffer
	cmd := &cobra.Command{Use: "claimbridge"}
	cmd.SetContext(t.Context())
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	err = o.run(cmd)
	return out.String(), errs.String(), err
}

// What is about no claim ends the run with the remedy of its own, and nobody is told to mend or delete a claim for it.
func TestMigrateNamesTheRemedy(t *testing.T) {
	resource := schema.GroupResource{Group: migratedGroup, Resource: "resourceclaims"}
	// may is how API servers say that a right is missing.
	may := func(verb string) *apierrors.StatusError {
		return apierrors.NewForbidden(resource, "", fmt.Errorf("User %q cannot %s resource %q in API group %q", "jane", verb, resource.Resource, resource.Group))
	}
	internal := func(text string) *apierrors.StatusError { return apierrors.NewInternalError(fmt.Errorf("%s", text)) }
	invalid := func(name string) *apierrors.StatusError {
		return apierrors.NewInvalid(schema.GroupKind{Group: migratedGroup, Kind: "ResourceClaim"}, name, nil)
	}
	right := "you have no right to %s resourceclaims.claims.example.com: docs/operations.md#stored-versions has a ClusterRole"
	webhook := "'claimbridge preflight --group=claims.example.com' finds what is wrong with it"
	patched := func(err func(name string) *apierrors.StatusError) func(string) *apierrors.StatusError {
		return func(asked string) *apierrors.StatusError {
			if name, ok := strings.CutPrefix(asked, "PATCH claim-"); ok {
				return err("claim-" + name)
			}
			return nil
		}
	}
	always := func(text string) func(string) *apierrors.StatusError {
		return patched(func(string) *apierrors.StatusError { return internal(text) })
	}
	on := func(what string, err *apierrors.StatusError) func(string) *apierrors.StatusError {
		return func(asked string) *apierrors.StatusError {
			if asked == what {
				return err
			}
			return nil
		}
	}
	for name, test := range map[string]struct {
		refuse func(string) *apierrors.StatusError
		want   string
		// lines on standard error about single objects
		lines int
		mend  bool
	}{
		"no right to patch": {refuse: patched(func(string) *apierrors.StatusError { return may("patch") }), want: fmt.Sprintf(right, "patch")},
		"no right to list":  {refuse: on("LIST resourceclaims", may("list")), want: fmt.Sprintf(right, "list")},
		"no right to get definitions": {
			refuse: on("GET definition", apierrors.NewForbidden(definitionsOf, "resourceclaims."+migratedGroup, fmt.Errorf(`User "jane" cannot get resource "customresourcedefinitions"`))),
			want:   "you have no right to get definition resourceclaims.claims.example.com: docs/operations.md#stored-versions",
		},
		"unknown user":                  {refuse: on("LIST resourceclaims", apierrors.NewUnauthorized("Unauthorized")), want: "the API server does not know you"},
		"validating webhook is stopped": {refuse: always(`failed calling webhook "validate.claimbridge.dev": failed to call webhook: Post "https://x": connection refused`), want: webhook},
		"conversion webhook is stopped": {refuse: always(`conversion webhook for claims.example.com/v1alpha3, Kind=ResourceClaim failed: Post "https://x": connection refused`), want: webhook},
		"API server is out of order":    {refuse: always("etcdserver: no leader"), want: "the API server does not answer, or has too much to do", lines: 3},
		"API server has too much to do": {
			refuse: patched(func(string) *apierrors.StatusError { return apierrors.NewTooManyRequestsError("later") }),
			want:   "the API server does not answer, or has too much to do",
		},
		"no definition": {
			refuse: on("GET definition", apierrors.NewNotFound(definitionsOf, "resourceclaims."+migratedGroup)),
			want:   "This cluster has no definition of claimbridge's in the group claims.example.com. 'kubectl get crd -o name | grep /resourceclaims' tells the group",
		},
		"claims that are refused": {refuse: patched(invalid), want: "mend what is named above", lines: 6, mend: true},
		"claims that do not convert": {
			refuse: patched(func(name string) *apierrors.StatusError {
				return internal("conversion webhook for claims.example.com/v1alpha3, Kind=ResourceClaim failed: ResourceClaim default/" + name + ": spec: no object")
			}),
			want: "mend what is named above", lines: 6, mend: true,
		},
		"a policy that forbids": {
			refuse: patched(func(name string) *apierrors.StatusError {
				return apierrors.NewForbidden(resource, name, fmt.Errorf("ValidatingAdmissionPolicy 'x' with binding 'x' denied request: no"))
			}),
			want: "mend what is named above", lines: 6, mend: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &migrateServer{claims: 3, refuse: test.refuse}
			stdout, stderr, err := server.migrate(t, false)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "mend what is named") != test.mend {
				t.Errorf("%v\nwant: %s\n%s%s", err, test.want, stdout, stderr)
			}
			if err != nil && strings.Contains(test.want, "right") && strings.Contains(err.Error(), "run this again") {
				t.Errorf("nothing comes of running it again: %v", err)
			}
			if lines := strings.Count(stderr, ".example.com default/claim-"); lines != test.lines {
				t.Errorf("%d lines about objects, want %d:\n%s", lines, test.lines, stderr)
			}
			if test.mend && strings.Count(stderr, "the same as default/claim-0\n") != 5 {
				t.Errorf("a cause is repeated:\n%s", stderr)
			}
		})
	}
}

var definitionsOf = schema.GroupResource{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"}

// One object is no "objects".
func TestMigrateCountsObjects(t *testing.T) {
	server := &migrateServer{claims: 1, refuse: func(string) *apierrors.StatusError { return nil }}
	stdout, stderr, err := server.migrate(t, true)
	if err != nil || !strings.Contains(stdout, ": 1 object can be written in v1;") || !strings.Contains(stderr, ": 1 object done,") {
		t.Errorf("%v: %s%s", err, stdout, stderr)
	}
}
