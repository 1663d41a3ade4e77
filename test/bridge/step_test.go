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

// step of a scenario: a request, or a read of a watch that an earlier step opened.
type step struct {
	request
	line string // source of the step
	// events is the watch to read events from, and count their number, or 0 for all until the server ends the watch.
	events string
	count  int
}

func (s step) String() string { return fmt.Sprintf("%.300s", s.line) }

// types of patches.
const (
	jsonPatch  = "application/json-patch+json"
	mergePatch = "application/merge-patch+json"
	strategic  = "application/strategic-merge-patch+json"
	applyPatch = "application/apply-patch+yaml"
)

const asProto = "application/vnd.kubernetes.protobuf"

// verbs that begin a step, with the media type of their body. Any other word is a method.
var verbs = map[string]struct{ method, contentType string }{
	"get":    {http.MethodGet, ""},
	"create": {http.MethodPost, ""},
	"put":    {http.MethodPut, ""},
	"remove": {http.MethodDelete, ""},
	"patch":  {http.MethodPatch, ""}, "json": {http.MethodPatch, jsonPatch}, "merge": {http.MethodPatch, mergePatch},
	"strategic": {http.MethodPatch, strategic}, "apply": {http.MethodPatch, applyPatch},
}

var stepLine = regexp.MustCompile(`^(?:watch (\S+)|(\S+)) ((?:<[^<>]*>|[^\s<])+) ?(.*)$`)

// stepsOf returns the steps of a scenario, whose language is in doc.go.
func stepsOf(t testing.TB, text string) (all []step) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if option, isOption := strings.CutPrefix(line, "\t"); isOption {
			all[len(all)-1].set(t, option)
			continue
		}
		m := stepLine.FindStringSubmatch(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case m == nil:
			t.Fatalf("invalid step %q: want VERB PATH [BODY], watch NAME PATH or events NAME COUNT", line)
		case m[2] == "events":
			all = append(all, step{line: line, events: m[3], count: must.Get(strconv.Atoi(m[4]))(t)})
		case m[1] != "":
			all = append(all, step{line: line, request: request{method: http.MethodGet, path: m[3], watch: m[1]}})
		default:
			v, known := verbs[m[2]]
			if !known {
				v.method = m[2]
			}
			all = append(all, step{
				line:    line,
				request: request{method: v.method, path: m[3], contentType: v.contentType, body: m[4]},
			})
		}
	}
	return all
}

// set sets an option.
func (s *step) set(t testing.TB, option string) {
	t.Helper()
	if s.header == nil {
		s.header = map[string]string{}
	}
	s.line += ", " + option
	switch word, rest, _ := strings.Cut(option, " "); word {
	case "by":
		s.user = rest
	case "sending":
		s.contentType = rest
	case "accepting":
		s.accept = rest
	case "with":
		name, value, _ := strings.Cut(rest, " ")
		s.header[name] = value
	case "compressed":
		s.header["Content-Encoding"], s.body = "gzip", compressed(t, s.body)
	case "spaces":
		s.body = strings.Repeat(" ", must.Get(strconv.Atoi(rest))(t))
	case "|":
		s.body += rest + "\n"
	default:
		t.Fatalf("unknown option %q: see doc.go", option)
	}
}

func compressed(t testing.TB, text string) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must.Get(w.Write([]byte(text)))(t)
	must.Do(t, w.Close())
	return packed.String()
}
