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

// session of requests to one cluster in one version, in a namespace of its own. What an answer
// tells, later requests may use:
//
//	<v>        resource.k8s.io/v1beta1, or what the version is
//	<version>  v1beta1
//	<ns>       the namespace
//	<n>        a text for names of objects that are in no namespace
//	<rv a>     resourceVersion of the object a, as it was answered last
//	<uid a>    its uid
//	<listrv>   resourceVersion of the last list, and <continue> its token
//	<named>    name that the last object with a generateName got
type session struct {
	*cluster
	version, namespace string
	vars               map[string]string
	// symbols by what differs by nature: uids, resourceVersions, generated names.
	symbols map[string]string
	counts  map[string]int
	watches map[string]*watched
	// change what was answered: how the suite is shown to find differences.
	change func(request, *answer)
}

// plurals are how a path of a step begins.
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
		watches: map[string]*watched{},
	}
	s.vars["v"], s.vars["version"], s.vars["ns"], s.vars["n"] = "resource.k8s.io/"+
		version, version, namespace.Name, namespace.Name
	s.symbols[namespace.Name] = "NAMESPACE"
	return s
}

var variable = regexp.MustCompile(`<(v|version|ns|n|listrv|continue|named|rv [^<>]+|uid [^<>]+)>`)

// expand the names in angle brackets. An unknown one stays, and so makes the request fail.
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

// path of the API server for that of a step: claims/a, or /openapi/v3.
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

// do a request, and keep what its answer tells.
func (s *session) do(ctx context.Context, r request) (*answer, error) {
	r.path, r.body = s.path(r.path), s.expand(r.body)
	if r.content == "application/vnd.kubernetes.protobuf" {
		r.body = protobuf(r.body)
	}
	if r.watch != "" {
		return s.watchFor(ctx, r)
	}
	a, err := s.send(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s %s: %w", s.name, r.method, r.path, err)
	}
	if s.change != nil {
		s.change(r, a)
	}
	s.learn(a.body)
	return a, nil
}

// learn what later requests may use.
func (s *session) learn(body []byte) {
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

// watched is an open watch.
type watched struct {
	events chan []byte
	cancel context.CancelFunc
}

func (s *session) watchFor(ctx context.Context, r request) (*answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	response, err := s.open(ctx, r)
	if err != nil {
		cancel()
		return nil, err
	}
	a := &answer{status: response.StatusCode, header: response.Header}
	if response.StatusCode != http.StatusOK {
		defer cancel()
		a.body, err = io.ReadAll(response.Body)
		return a, err
	}
	w := &watched{events: make(chan []byte, 1000), cancel: cancel}
	s.watches[r.watch] = w
	go func() {
		defer close(w.events)
		defer response.Body.Close()
		for lines := bufio.NewReader(response.Body); ; {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				event := &answer{header: http.Header{}, body: line}
				if s.change != nil {
					s.change(request{watch: r.watch}, event)
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

// events of a watch, as many as are asked for; all, until the server ends it, when that is none.
func (s *session) events(name string, count int) (*answer, error) {
	w := s.watches[name]
	if w == nil {
		return nil, fmt.Errorf("%s: there is no watch %q", s.name, name)
	}
	var all []string
	timeout := time.After(await.Patience) // with an event that must come
	for count == 0 || len(all) < count {
		select {
		case event, ok := <-w.events:
			if !ok {
				all = append(all, `{"type":"END"}`)
				return eventsAnswer(all), nil
			}
			if !passing(event) {
				all = append(all, string(event))
			}
		case <-timeout:
			all = append(all, `{"type":"NOTHING MORE"}`)
			return eventsAnswer(all), nil
		}
	}
	return eventsAnswer(all), nil
}

// passing are bookmarks that come by the clock, and not because of what was asked.
func passing(event []byte) bool {
	var e struct {
		Type   string
		Object struct {
			Metadata struct{ Annotations map[string]string }
		}
	}
	return json.Unmarshal(event, &e) == nil && e.Type == "BOOKMARK" &&
		e.Object.Metadata.Annotations["k8s.io/initial-events-end"] == ""
}

func eventsAnswer(events []string) *answer {
	return &answer{
		status: http.StatusOK,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   []byte("[" + strings.Join(events, ",") + "]"),
	}
}

// served is the version that the cluster has alone.
func (c *cluster) served() string {
	for version, one := range alone {
		if one == c {
			return version
		}
	}
	return ""
}
