//go:build e2e

package transcode

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/validation"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())            // envtest asks for one
	os.Exit(controlplane.Main(withPlane{m})) //nolint:forbidigo // TestMain
}

type withPlane struct{ *testing.M }

func (m withPlane) Run() int {
	code := m.M.Run()
	if environment != nil {
		if err := environment.Stop(); err != nil {
			return max(code, 1)
		}
	}
	return code
}

var environment *envtest.Environment

// plane is a kube-apiserver that serves v1beta1 and v1beta2 as well, so that each request can be sent to it and to a handler over its v1.
var plane = sync.OnceValues(func() (*rest.Config, error) {
	environment = &envtest.Environment{}
	environment.ControlPlane.GetAPIServer().Configure().Set("runtime-config", "resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true")
	config, err := environment.Start()
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	return config, nil
})

// server is one of two that are asked the same: the handler, or kube-apiserver itself.
type server struct {
	name      string
	base      string
	client    *http.Client
	namespace string
}

// servers of one test, each with a namespace of its own.
func servers(t *testing.T) (ours, theirs *server) {
	t.Helper()
	config, err := plane()
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	theirs = &server{name: "kube-apiserver", base: strings.TrimSuffix(config.Host, "/"), client: client}
	ours = &server{name: "claimbridge", base: serve(t, config), client: http.DefaultClient}
	for _, s := range []*server{ours, theirs} {
		_, body := theirs.send(t, "POST", "/api/v1/namespaces", "application/json", `{"metadata":{"generateName":"n-"}}`)
		s.namespace = metadataOf(body).name
	}
	return ours, theirs
}

// serve a handler with what the generic server puts around it.
func serve(t *testing.T, config *rest.Config) string {
	t.Helper()
	client, err := store.New(config, caller.Constrained, "claimbridge-apiserver")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(around(New(client, validation.Judge, http.NotFoundHandler(), Options{})))
	t.Cleanup(server.Close)
	return server.URL
}

func around(handler http.Handler) http.Handler {
	handler = filters.WithWarningRecorder(handler)
	handler = withUser(handler, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}})
	handler = filters.WithAuditInit(handler)
	return filters.WithRequestInfo(handler, &request.RequestInfoFactory{APIPrefixes: sets.NewString("apis", "api"), GrouplessAPIPrefixes: sets.NewString("api")})
}

func withUser(handler http.Handler, who user.Info) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(request.WithUser(r.Context(), who)))
	})
}

// send a request; NS in path and body is the namespace of the server.
func (s *server) send(t *testing.T, method, path, contentType, body string, header ...string) (*http.Response, []byte) {
	t.Helper()
	within := strings.NewReplacer("NS", s.namespace)
	req, err := http.NewRequestWithContext(context.Background(), method, s.base+within.Replace(path), strings.NewReader(within.Replace(body)))
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("User-Agent", "tester/1")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, answer
}

// noise of answers that are more than one object: events.
var noise = regexp.MustCompile(`"(uid|resourceVersion|creationTimestamp|time)":"[^"]*",?|"managedFields":\[.*?}}}],?|"[0-9]+s"`)

// quoted are the same in texts of errors, where objects are quoted, and in the record of who wrote what.
var quoted = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|resourceVersion\\+":\\+"[0-9]+|[0-9-]+T[0-9:]+Z|operation\\+":\\+"Update\\+",\\+"apiVersion\\+":\\+"resource.k8s.io/v1(beta1)?`)

// plain is an answer without what differs from object to object, and from server to server.
func (s *server) plain(body []byte) string {
	text := strings.ReplaceAll(string(body), s.namespace, "NS")
	text = quoted.ReplaceAllString(text, "")
	var value any
	if yaml.Unmarshal([]byte(text), &value) != nil {
		return noise.ReplaceAllString(text, "")
	}
	forget(value)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return out.String()
}

var seconds = regexp.MustCompile(`^[0-9]+s$`)

func forget(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			switch name {
			case "uid", "resourceVersion", "creationTimestamp", "managedFields":
				if _, isText := inner.(string); isText || name == "managedFields" {
					delete(value, name)
				}
			}
			forget(inner)
		}
	case []any:
		for i, inner := range value {
			if age, is := inner.(string); is && seconds.MatchString(age) {
				value[i] = "age"
			}
			forget(inner)
		}
	}
}
