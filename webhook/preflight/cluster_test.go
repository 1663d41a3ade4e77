package preflight

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// clusterOf returns a cluster that has these objects, and no others among those that are named.
func clusterOf(t *testing.T, named []string, objects map[string]any) *cluster {
	t.Helper()
	c := &cluster{Options: Options{Group: "claims.example.com"}.withDefaults(), reads: map[string]cachedRead{}}
	for _, name := range named {
		c.setReads(name, cachedRead{})
	}
	for name, object := range objects {
		content := must.Get(runtime.DefaultUnstructuredConverter.ToUnstructured(object))(t)
		c.setReads(name, cachedRead{items: []unstructured.Unstructured{{Object: content}}})
	}
	return c
}

// setReads sets the result of reading an object, or of listing the objects that a selector selects.
func (c *cluster) setReads(object string, read cachedRead) {
	c.reads["get "+object] = read
	c.reads["list "+object] = read
}

// TestCertManagerIsCheckedBeforeAnInstallation verifies when cert-manager is required.
func TestCertManagerIsCheckedBeforeAnInstallation(t *testing.T) {
	certManager := apiService{}
	certManager.Spec.Group = "cert-manager.io"
	const theService, theAPIServices = "Service claimbridge-system/claimbridge", "APIService"
	named := []string{
		theService, theAPIServices, "Deployment claimbridge-system/claimbridge",
		"CustomResourceDefinition resourceclaims.claims.example.com",
		"CustomResourceDefinition resourceclaimtemplates.claims.example.com",
		"ValidatingWebhookConfiguration claimbridge", "MutatingWebhookConfiguration claimbridge",
	}
	for name, test := range map[string]struct {
		certificates config.Certificates
		objects      map[string]any
		isMissed     bool
	}{
		"nothing is installed":                     {"", nil, true},
		"nothing is installed, cert-manager is":    {"", map[string]any{theAPIServices: &certManager}, false},
		"cert-manager is planned":                  {config.CertManager, nil, true},
		"the server's own are planned":             {config.Self, nil, false},
		"files are planned":                        {config.Files, nil, false},
		"an installation":                          {"", map[string]any{theService: &corev1.Service{}}, false},
		"an installation that is to change its CA": {config.CertManager, map[string]any{theService: &corev1.Service{}}, true},
	} {
		c := clusterOf(t, named, test.objects)
		c.Certificates = test.certificates
		if err := certManagerIsInstalled(t.Context(), c); (err != nil) != test.isMissed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestServingCertificateIsReadFromTheSecretOfTheDeployment verifies which Secret has the serving certificate.
func TestServingCertificateIsReadFromTheSecretOfTheDeployment(t *testing.T) {
	certificate := certs.New(t, "test CA", certs.ValidFor(time.Hour)).Certificate
	secret := &corev1.Secret{Data: map[string][]byte{corev1.TLSCertKey: certificate}}
	deployment := func(args []string, volumes ...corev1.Volume) *appsv1.Deployment {
		pod := corev1.PodSpec{Containers: []corev1.Container{{Args: args}}, Volumes: volumes}
		return &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: pod}}}
	}
	for name, test := range map[string]struct {
		deployment *appsv1.Deployment
		secret     string
		isCA       bool
	}{
		"a mounted Secret": {
			deployment([]string{"serve", "--cert-dir=/tls"},
				corev1.Volume{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}},
				corev1.Volume{Name: "pair", VolumeSource: corev1.VolumeSource{
					Secret: &corev1.SecretVolumeSource{SecretName: "mine"},
				}}),
			"mine", false,
		},
		"a shared CA": {deployment([]string{"serve", "--certificate-secret=$(POD_NAMESPACE)/ours"}), "ours", true},
		"no flag":     {deployment([]string{"serve"}), "claimbridge-tls", false},
		"no Deployment": {
			nil, "claimbridge-tls", false,
		},
	} {
		const theDeployment = "Deployment claimbridge-system/claimbridge"
		objects := map[string]any{"Secret claimbridge-system/" + test.secret: secret}
		if test.deployment != nil {
			objects[theDeployment] = test.deployment
		}
		got, err := clusterOf(t, []string{theDeployment}, objects).servingCertificate(t.Context())
		if err != nil || got.isCA != test.isCA || got.object != "Secret claimbridge-system/"+test.secret {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestWritesWaitForTheNetwork verifies that a write is repeated if a connection was refused, and only then.
func TestWritesWaitForTheNetwork(t *testing.T) {
	t.Parallel()
	const (
		away = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500,` +
			`"message":"failed calling webhook: connect: connection refused"}`
		refused = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,` +
			`"message":"connection refused, says a policy"}`
		created = `{"apiVersion":"claims.example.com/v1","kind":"ResourceClaim"}`
	)
	for name, c := range map[string]struct {
		away    int
		then    string
		code    int
		calls   int
		accepts bool
		is      func(error) bool
	}{
		"the webhook responds at once":  {then: created, code: 201, calls: 1, accepts: true},
		"it responds to the third call": {away: 2, then: created, code: 201, calls: 3, accepts: true},
		"it never responds":             {away: 99, calls: 4, is: apierrors.IsInternalError},
		"another webhook rejects":       {then: refused, code: 403, calls: 1, is: apierrors.IsForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			server := apiServer(t, func(w http.ResponseWriter, _ *http.Request) {
				code, body := c.code, c.then
				if calls++; calls <= c.away {
					code, body = 500, away
				}
				w.WriteHeader(code)
				_, _ = w.Write([]byte(body))
			})
			cluster := must.Get(connect(t.Context(), server, Options{Group: "claims.example.com"}.withDefaults()))(t)
			err := cluster.create(t.Context(), newV1Resource("claims.example.com", claims, "ResourceClaim"), validClass)
			if calls != c.calls {
				t.Errorf("asked %d times, want %d", calls, c.calls)
			}
			if c.accepts != (err == nil) || c.is != nil && !c.is(err) {
				t.Errorf("got the error %v", err)
			}
		})
	}
}

// apiServer returns the client of a server that answers everything but its version by a handler.
func apiServer(t *testing.T, handler http.HandlerFunc) *rest.Config {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/version" {
			_, _ = w.Write([]byte(`{}`))
			return
		}
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}

// TestUnresponsiveAPIServerIsUnknown verifies that a check ends with its context.
func TestUnresponsiveAPIServerIsUnknown(t *testing.T) {
	t.Parallel()
	client := apiServer(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	cluster := must.Get(connect(t.Context(), client, Options{Group: "claims.example.com"}.withDefaults()))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	i := slices.IndexFunc(Checks, func(c Check) bool { return c.Name == "group-is-not-built-in" })
	result := runCheck(ctx, cluster, Checks[i], nil)
	if result.State != Unknown || !strings.Contains(result.Reasons[0], "context deadline exceeded") {
		t.Errorf("%+v", result)
	}
}
