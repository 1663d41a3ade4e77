//go:build e2e

package bridge

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// step is a step of a scenario: a request, or a read of events from a watch that an earlier step opened.
type step struct {
	request
	line string // source of the step
	// events is the name of the watch to read from. count is the number of events, or 0 for all until the server ends
	// the watch.
	events string
	count  int
}

func (s step) String() string { return fmt.Sprintf("%.300s", s.line) }

// Media types of patches.
const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)

const protobufType = "application/vnd.kubernetes.protobuf"

// verbs are the words that begin a step, with the HTTP method and the media type of the body. Any other word is a
// method.
var verbs = map[string]struct{ method, contentType string }{
	"get":       {http.MethodGet, ""},
	"create":    {http.MethodPost, ""},
	"put":       {http.MethodPut, ""},
	"remove":    {http.MethodDelete, ""},
	"patch":     {http.MethodPatch, ""},
	"json":      {http.MethodPatch, jsonPatch},
	"merge":     {http.MethodPatch, mergePatch},
	"strategic": {http.MethodPatch, strategicPatch},
	"apply":     {http.MethodPatch, applyPatch},
}

var stepLine = regexp.MustCompile(`^(?:watch (\S+)|(\S+)) ((?:<[^<>]*>|[^\s<])+) ?(.*)$`)

// parseSteps returns the steps of a scenario. doc.go documents the language.
func parseSteps(t testing.TB, text string) (steps []step) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if option, isOption := strings.CutPrefix(line, "\t"); isOption {
			steps[len(steps)-1].setOption(t, option)
			continue
		}
		m := stepLine.FindStringSubmatch(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case m == nil:
			t.Fatalf("invalid step %q: want VERB PATH [BODY], watch NAME PATH or events NAME COUNT", line)
		case m[2] == "events":
			steps = append(steps, step{line: line, events: m[3], count: must.Get(strconv.Atoi(m[4]))(t)})
		case m[1] != "":
			steps = append(steps, step{line: line, request: request{method: http.MethodGet, path: m[3], watch: m[1]}})
		default:
			verb, isKnown := verbs[m[2]]
			if !isKnown {
				verb.method = m[2]
			}
			steps = append(steps, step{
				line:    line,
				request: request{method: verb.method, path: m[3], contentType: verb.contentType, body: m[4]},
			})
		}
	}
	return steps
}

// setOption sets an option, which is an indented line below the step.
func (s *step) setOption(t testing.TB, option string) {
	t.Helper()
	if s.header == nil {
		s.header = map[string]string{}
	}
	s.line += ", " + option
	switch word, value, _ := strings.Cut(option, " "); word {
	case "by":
		s.user = value
	case "sending":
		s.contentType = value
	case "accepting":
		s.accept = value
	case "with":
		name, text, _ := strings.Cut(value, " ")
		s.header[name] = text
	case "compressed":
		s.header["Content-Encoding"] = "gzip"
		s.body = gzipped(t, s.body)
	case "spaces":
		s.body = strings.Repeat(" ", must.Get(strconv.Atoi(value))(t))
	case "|":
		s.body += value + "\n"
	default:
		t.Fatalf("unknown option %q: see doc.go", option)
	}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	must.Get(w.Write([]byte(text)))(t)
	must.Do(t, w.Close())
	return buffer.String()
}
