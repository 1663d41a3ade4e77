package webhook

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// cluster answers token and access reviews as an API server would that knows two tokens: one of a user who may read
// metrics, one of a user who may not.
func cluster(t *testing.T, asked *atomic.Int64) (kubeconfig string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /apis/authentication.k8s.io/v1/tokenreviews", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var review authenticationv1.TokenReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		if user, known := strings.CutPrefix(review.Spec.Token, "token-of-"); known {
			review.Status = authenticationv1.TokenReviewStatus{Authenticated: true, User: authenticationv1.UserInfo{Username: user}}
		}
		answerJSON(t, w, review)
	})
	mux.HandleFunc("POST /apis/authorization.k8s.io/v1/subjectaccessreviews", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var review authorizationv1.SubjectAccessReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		what := review.Spec.NonResourceAttributes
		review.Status.Allowed = review.Spec.User == "prometheus" && what != nil && what.Path == "/metrics" && what.Verb == "get"
		answerJSON(t, w, review)
	})
	return kubeconfigOf(t, mux)
}

// kubeconfigOf an API server.
func kubeconfigOf(t *testing.T, handler http.Handler) (kubeconfig string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)

	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{Server: server.URL}
	config.Contexts["c"] = &clientcmdapi.Context{Cluster: "c"}
	config.CurrentContext = "c"
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func answerJSON(t *testing.T, w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		t.Error(err)
	}
}

func TestExposedMetricsAreForAuthorizedReaders(t *testing.T) {
	var asked atomic.Int64
	r := run(t, Options{MetricsBindAddress: "0.0.0.0:0", Kubeconfig: cluster(t, &asked)})
	_, port, _ := strings.Cut(r.MetricsAddr().String(), "]")
	url := "https://localhost" + port + "/metrics"
	client := r.client(t, false)
	for token, want := range map[string]int{
		"": http.StatusUnauthorized, "wrong": http.StatusUnauthorized,
		"token-of-somebody": http.StatusForbidden, "token-of-prometheus": http.StatusOK,
	} {
		request, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := do(client, request)
		if err != nil {
			t.Fatal(err)
		}
		got := response.Body
		if response.Code != want || strings.Contains(got, "claimbridge_") != (want == http.StatusOK) {
			t.Errorf("token %q: %d, want %d", token, response.Code, want)
		}
	}
	if asked.Load() == 0 {
		t.Error("the cluster was not asked")
	}
	if response, err := r.client(t, true).Get(url); err == nil {
		_ = response.Body.Close()
		t.Errorf("it speaks %s, whose streams are beside all bounds", response.Proto)
	}
	// The same without TLS is no way in.
	if response := get(t, client, "http"+strings.TrimPrefix(url, "https")); response.Code != http.StatusBadRequest {
		t.Errorf("plain HTTP: %d %s", response.Code, response.Body)
	}
}

func TestLoopback(t *testing.T) {
	tests := map[string]bool{
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "localhost": true,
		"": false, "0.0.0.0": false, "::": false, "10.0.0.1": false, "metrics.example.com": false, "localhost.example.com": false,
	}
	for host, want := range tests {
		if got := isLoopback(host); got != want {
			t.Errorf("%q: got %v", host, got)
		}
	}
}

// TestLoopbackMetricsAskNobody starts without any cluster at hand.
func TestLoopbackMetricsAskNobody(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	r := run(t, Options{
		MetricsBindAddress: "localhost:0",
		Version:            version.Info{GitVersion: "v0.2.0", GitCommit: "4d9c1a7", GoVersion: runtime.Version()},
	})
	response := get(t, http.DefaultClient, "http://"+r.MetricsAddr().String()+"/metrics")
	got := response.Body
	build := fmt.Sprintf("\nclaimbridge_build_info{goversion=%q,revision=\"4d9c1a7\",version=\"v0.2.0\"} 1\n", runtime.Version())
	if response.Code != http.StatusOK || !strings.Contains(got, build) {
		t.Errorf("%d: %s\nwithout %s", response.Code, got, build)
	}
	if _, err := os.Stat(os.Getenv("KUBECONFIG")); err == nil {
		t.Error("there was a cluster after all")
	}
}
