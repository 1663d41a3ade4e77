//go:build e2e

package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// normalized is a response in which uids, resourceVersions, generated names and times are replaced by symbols. The same
// value has the same symbol in the whole session, so a value that changes unexpectedly is still found.
type normalized struct {
	Status int
	Header map[string][]string
	// Body is the decoded JSON, YAML or protobuf, or a text.
	Body any
}

func (s *session) normalize(a *response) *normalized {
	n := &normalized{Status: a.status, Header: map[string][]string{}}
	for _, name := range comparedHeaders {
		for _, value := range a.header.Values(name) {
			n.Header[name] = append(n.Header[name], s.normalizeText(value))
		}
	}
	n.Body = s.normalizeValue("", decodeBody(a))
	return n
}

// decodeBody decodes a body of any media type.
func decodeBody(a *response) (body any) {
	data := a.body
	switch kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type")); kind {
	case "application/vnd.kubernetes.protobuf":
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
		if err != nil {
			return fmt.Sprintf("invalid protobuf: %v", err)
		}
		data = []byte(runtime.EncodeOrDie(jsonOf(object), object))
	case "application/yaml":
		if converted, err := yaml.YAMLToJSON(data); err == nil {
			data = converted
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return string(a.body)
	}
	return body
}

func jsonOf(object runtime.Object) runtime.Encoder {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	return scheme.Codecs.EncoderForVersion(info.Serializer, object.GetObjectKind().GroupVersionKind().GroupVersion())
}

// normalizeValue returns a value with symbols.
func (s *session) normalizeValue(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if _, hasMetadata := v["metadata"].(map[string]any); hasMetadata {
			s.addSymbolsOf(v)
		}
		for name, inner := range v {
			v[name] = s.normalizeValue(name, inner)
		}
		if fields, isList := v["managedFields"].([]any); isList {
			slices.SortFunc(fields, byManager) // the API server sorts them by the second in which they were written
		}
		return v
	case []any:
		for i, inner := range v {
			v[i] = s.normalizeValue(key, inner)
		}
		return v
	case string:
		switch {
		case key == "creationTimestamp" || key == "deletionTimestamp" || key == "time":
			return "TIME"
		case key == "continue" && v != "":
			return "TOKEN"
		case key == "resourceVersion" && s.symbols[v] != "":
			return s.symbols[v]
		case key == "cells" && age.MatchString(v):
			return "AGE"
		}
		return s.normalizeText(v)
	}
	return v
}

// addSymbolsOf adds symbols for the values of an object, or a list, that always differ.
func (s *session) addSymbolsOf(object map[string]any) {
	m := object["metadata"].(map[string]any)
	text := func(name string) string { v, _ := m[name].(string); return v }
	if text("name") == "" && text("uid") == "" { // a list, a table or a bookmark: other clients write as well
		if rv := text("resourceVersion"); rv != "" && rv != "0" {
			m["resourceVersion"] = "REVISION"
		}
		return
	}
	if text("generateName") != "" {
		s.addSymbol("GENERATED", text("name"))
	}
	of := s.normalizeText(text("name"))
	s.addSymbol("UID of "+of, text("uid"))
	s.addSymbol("RV of "+of, text("resourceVersion"))
}

func (s *session) addSymbol(kind, actual string) {
	if actual == "" || s.symbols[actual] != "" {
		return
	}
	s.counts[kind]++
	s.symbols[actual] = fmt.Sprintf("%s %d", kind, s.counts[kind])
}

var (
	age = regexp.MustCompile(`^(<unknown>|<?\d+(s|ms|m)(\d+s)?)$`)
	// symbolCandidates matches names and uids in a text.
	symbolCandidates = regexp.MustCompile(`[a-z0-9]+(-[a-z0-9]+)+`)
	// testTime matches the time of a test. Scenarios write earlier years.
	testTime = regexp.MustCompile(`20(2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	// revision matches a resourceVersion in a text of the API server.
	revision = regexp.MustCompile(`(current: |version: \d+ \(|object meta: |in record \(|resourceVersion\W{1,8})\d+`)
)

// normalizeText returns a text with symbols for names and uids. A number is unchanged, because it could be anything.
func (s *session) normalizeText(text string) string {
	text = symbolCandidates.ReplaceAllStringFunc(text, func(word string) string {
		if symbol, ok := s.symbols[word]; ok {
			return symbol
		}
		return strings.ReplaceAll(word, s.namespace, "NAMESPACE")
	})
	return testTime.ReplaceAllString(revision.ReplaceAllString(text, "${1}REVISION"), "TIME")
}

func byManager(a, b any) int {
	key := func(entry any) string {
		e, _ := entry.(map[string]any)
		return fmt.Sprint(e["manager"], e["operation"], e["subresource"], e["apiVersion"])
	}
	return strings.Compare(key(a), key(b))
}

// protobuf returns an object in JSON as protobuf, like typed clients of the newest release.
func protobuf(text string) string {
	object, gvk, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		return text // a malformed body of a step
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	var body bytes.Buffer
	if err := scheme.Codecs.EncoderForVersion(info.Serializer, gvk.GroupVersion()).Encode(object, &body); err != nil {
		panic(err) // it was decoded by the same scheme
	}
	return body.String()
}
