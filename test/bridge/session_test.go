//go:build e2e

package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// session of requests to one cluster in one version, in a separate namespace. Requests can use values of earlier
// responses:
//
//	<v>        resource.k8s.io/v1beta1, for example
//	<version>  v1beta1
//	<ns>       the namespace
//	<n>        for names of objects without a namespace
//	<rv a>     the last resourceVersion of the object a
//	<uid a>    its uid
//	<listrv>   resourceVersion of the last list, and <continue> its token
//	<named>    name of the last object with a generateName
type session struct {
	*cluster
	version, namespace string
	vars               map[string]string
	// symbols by value: uids, resourceVersions, generated names.
	symbols map[string]string
	counts  map[string]int
	watches map[string]*openWatch
	// modify changes responses, to test the comparison.
	modify func(request, *response)
}

// plurals are the resources by the word that begins the path of a step.
var plurals = map[string]string{
	"claims":    "resourceclaims",
	"templates": "resourceclaimtemplates",
	"classes":   "deviceclasses",
	"slices":    "resourceslices",
}

func (c *cluster) session(t *testing.T, version string) *session {
	t.Helper()
	client := must.Get(kubernetes.NewForConfig(c.Config))(t)
	namespace, err := client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := &session{
		cluster: c, version: version, namespace: namespace.Name,
		vars:    map[string]string{},
		symbols: map[string]string{},
		counts:  map[string]int{},
		watches: map[string]*openWatch{},
	}
	s.vars["v"] = "resource.k8s.io/" + version
	s.vars["version"] = version
	s.vars["ns"] = namespace.Name
	s.vars["n"] = namespace.Name
	s.symbols[namespace.Name] = "NAMESPACE"
	return s
}

var variable = regexp.MustCompile(`<(v|version|ns|n|listrv|continue|named|rv [^<>]+|uid [^<>]+)>`)

// expand replaces the names in angle brackets. An unknown name is unchanged, which makes the request fail.
func (s *session) expand(text string) string {
	for strings.Contains(text, "<") {
		expanded := variable.ReplaceAllStringFunc(text, func(name string) string {
			if value, ok := s.vars[name[1:len(name)-1]]; ok {
				return value
			}
			return name
		})
		if expanded == text {
			break
		}
		text = expanded
	}
	return text
}

// path returns the path of a request for the path of a step: claims/a, or /openapi/v3.
func (s *session) path(path string) string {
	path = s.expand(path)
	if strings.HasPrefix(path, "/") {
		return path
	}
	first := path
	if end := strings.IndexAny(path, "/?"); end >= 0 {
		first = path[:end]
	}
	rest := path[len(first):]
	base := "/apis/resource.k8s.io/" + s.version + "/"
	all := strings.TrimPrefix(first, "all-")
	if first == all && (first == "claims" || first == "templates") {
		base += "namespaces/" + s.namespace + "/"
	}
	return base + plurals[all] + rest
}

// perform sends a request and stores the variables of its response.
func (s *session) perform(ctx context.Context, r request) (*response, error) {
	r.path, r.body = s.path(r.path), s.expand(r.body)
	if r.contentType == "application/vnd.kubernetes.protobuf" {
		r.body = protobuf(r.body)
	}
	if r.watch != "" {
		return s.startWatch(ctx, r)
	}
	a, err := s.send(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s %s: %w", s.name, r.method, r.path, err)
	}
	if s.modify != nil {
		s.modify(r, a)
	}
	s.storeVariables(a.body)
	return a, nil
}

// storeVariables stores the values of a response that later requests can use.
func (s *session) storeVariables(body []byte) {
	var object struct {
		Kind     string
		Metadata struct{ Name, GenerateName, UID, ResourceVersion, Continue string }
	}
	if json.Unmarshal(body, &object) != nil {
		return
	}
	switch m := object.Metadata; {
	case m.Name != "":
		s.vars["rv "+m.Name], s.vars["uid "+m.Name] = m.ResourceVersion, m.UID
		if m.GenerateName != "" {
			s.vars["named"] = m.Name
		}
	case m.ResourceVersion != "":
		s.vars["listrv"], s.vars["continue"] = m.ResourceVersion, m.Continue
	}
}

// openWatch is a watch that was opened.
type openWatch struct {
	events chan []byte
	cancel context.CancelFunc
}

func (s *session) startWatch(ctx context.Context, r request) (*response, error) {
	ctx, cancel := context.WithCancel(ctx)
	resp, err := s.open(ctx, r)
	if err != nil {
		cancel()
		return nil, err
	}
	a := &response{status: resp.StatusCode, header: resp.Header}
	if resp.StatusCode != http.StatusOK {
		defer cancel()
		a.body, err = io.ReadAll(resp.Body)
		return a, err
	}
	w := &openWatch{events: make(chan []byte, 1000), cancel: cancel}
	s.watches[r.watch] = w
	go func() {
		defer close(w.events)
		defer resp.Body.Close()
		for lines := bufio.NewReader(resp.Body); ; {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				event := &response{header: http.Header{}, body: line}
				if s.modify != nil {
					s.modify(request{watch: r.watch}, event)
				}
				if len(event.body) > 0 {
					w.events <- event.body
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return a, nil
}

// events returns events of a watch. A count of 0 is for all until the server ends the watch.
func (s *session) events(name string, count int) (*response, error) {
	w := s.watches[name]
	if w == nil {
		return nil, fmt.Errorf("%s: there is no watch %q", s.name, name)
	}
	var all []string
	timeout := time.After(await.Timeout) // an event is missing
	for count == 0 || len(all) < count {
		select {
		case event, ok := <-w.events:
			if !ok {
				all = append(all, `{"type":"END"}`)
				return eventsResponse(all), nil
			}
			if !isPeriodicBookmark(event) {
				all = append(all, string(event))
			}
		case <-timeout:
			all = append(all, `{"type":"TIMEOUT"}`)
			return eventsResponse(all), nil
		}
	}
	return eventsResponse(all), nil
}

// isPeriodicBookmark reports whether an event is a bookmark that the server sends from time to time.
func isPeriodicBookmark(event []byte) bool {
	var e struct {
		Type   string
		Object struct {
			Metadata struct{ Annotations map[string]string }
		}
	}
	return json.Unmarshal(event, &e) == nil && e.Type == "BOOKMARK" &&
		e.Object.Metadata.Annotations["k8s.io/initial-events-end"] == ""
}

func eventsResponse(events []string) *response {
	return &response{
		status: http.StatusOK,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   []byte("[" + strings.Join(events, ",") + "]"),
	}
}
