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

// session sends requests to one cluster in one version, in a separate namespace. Paths and bodies can have variables:
//
//	<apiVersion>      for example resource.k8s.io/v1beta1
//	<version>         v1beta1
//	<ns>              the namespace, also for unique names of cluster-scoped objects
//	<rv a>            the last resourceVersion of the object a
//	<uid a>           its uid
//	<list-rv>         the resourceVersion of the last list
//	<continue>        its continue token
//	<generated-name>  the name of the last object with a generateName
type session struct {
	*cluster
	version, namespace string
	vars               map[string]string
	// symbols are the symbols for uids, resourceVersions and generated names, by value.
	symbols map[string]string
	// counts are the numbers of symbols by kind.
	counts  map[string]int
	watches map[string]*openWatch
	// modify changes responses to test the comparison. It may be nil.
	modify func(request, *response)
}

// plurals are the resources, by the word that begins the path of a step.
var plurals = map[string]string{
	"claims":    "resourceclaims",
	"templates": "resourceclaimtemplates",
	"classes":   "deviceclasses",
	"slices":    "resourceslices",
}

// session returns a session in a new namespace.
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
	s.vars["apiVersion"] = "resource.k8s.io/" + version
	s.vars["version"] = version
	s.vars["ns"] = namespace.Name
	s.symbols[namespace.Name] = "NAMESPACE"
	return s
}

var variable = regexp.MustCompile(`<(apiVersion|version|ns|list-rv|continue|generated-name|rv [^<>]+|uid [^<>]+)>`)

// expand replaces variables by their values. An unknown variable is unchanged, and the request fails.
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

// path returns the URL path for the path of a step, which is claims/a or /openapi/v3, for example.
func (s *session) path(path string) string {
	path = s.expand(path)
	if strings.HasPrefix(path, "/") {
		return path
	}
	word := path
	if end := strings.IndexAny(path, "/?"); end >= 0 {
		word = path[:end]
	}
	rest := path[len(word):]
	base := "/apis/resource.k8s.io/" + s.version + "/"
	if word == "claims" || word == "templates" {
		base += "namespaces/" + s.namespace + "/"
	}
	return base + plurals[strings.TrimPrefix(word, "all-")] + rest
}

// perform sends a request and stores the variables of its response.
func (s *session) perform(ctx context.Context, r request) (*response, error) {
	r.path = s.path(r.path)
	r.body = s.expand(r.body)
	if r.contentType == protobufType {
		r.body = encodeProtobuf(r.body)
	}
	if r.watch != "" {
		return s.startWatch(ctx, r)
	}
	resp, err := s.send(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s %s: %w", s.name, r.method, r.path, err)
	}
	if s.modify != nil {
		s.modify(r, resp)
	}
	s.storeVariables(resp.body)
	return resp, nil
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
		s.vars["rv "+m.Name] = m.ResourceVersion
		s.vars["uid "+m.Name] = m.UID
		if m.GenerateName != "" {
			s.vars["generated-name"] = m.Name
		}
	case m.ResourceVersion != "":
		s.vars["list-rv"] = m.ResourceVersion
		s.vars["continue"] = m.Continue
	}
}

// openWatch is a watch whose response is being read.
type openWatch struct {
	events chan []byte
	cancel context.CancelFunc
}

// startWatch opens a watch, and reads its events in the background.
func (s *session) startWatch(ctx context.Context, r request) (*response, error) {
	ctx, cancel := context.WithCancel(ctx)
	httpResponse, err := s.open(ctx, r)
	if err != nil {
		cancel()
		return nil, err
	}
	resp := &response{status: httpResponse.StatusCode, header: httpResponse.Header}
	if httpResponse.StatusCode != http.StatusOK {
		defer cancel()
		resp.body, err = io.ReadAll(httpResponse.Body)
		return resp, err
	}
	w := &openWatch{events: make(chan []byte, 1000), cancel: cancel}
	s.watches[r.watch] = w
	go func() {
		defer close(w.events)
		defer httpResponse.Body.Close()
		for lines := bufio.NewReader(httpResponse.Body); ; {
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
	return resp, nil
}

// events reads events of a watch, or all until the server ends the watch if count is 0. It returns them as a JSON list,
// which ends with END if the watch ended, or with TIMEOUT if an event is missing.
func (s *session) events(name string, count int) (*response, error) {
	w := s.watches[name]
	if w == nil {
		return nil, fmt.Errorf("%s: there is no watch %q", s.name, name)
	}
	var events []string
	timeout := time.After(await.Timeout)
	for count == 0 || len(events) < count {
		select {
		case event, isOpen := <-w.events:
			if !isOpen {
				events = append(events, `{"type":"END"}`)
				return eventsResponse(events), nil
			}
			if !isPeriodicBookmark(event) {
				events = append(events, string(event))
			}
		case <-timeout:
			events = append(events, `{"type":"TIMEOUT"}`)
			return eventsResponse(events), nil
		}
	}
	return eventsResponse(events), nil
}

// isPeriodicBookmark reports whether an event is a bookmark that the server sends periodically.
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

// eventsResponse returns a response with a JSON list of events.
func eventsResponse(events []string) *response {
	return &response{
		status: http.StatusOK,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   []byte("[" + strings.Join(events, ",") + "]"),
	}
}
