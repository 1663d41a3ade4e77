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

// seen is an answer without what differs by nature: each uid, resourceVersion and generated name is
// a symbol, the same wherever it is seen again in the session, so that one which changes, or stays,
// where the other does not is still found.
type seen struct {
	Status int
	Header map[string][]string
	// Body is what JSON, YAML or protobuf say, or a text.
	Body any
}

func (s *session) normal(a *answer) *seen {
	n := &seen{Status: a.status, Header: map[string][]string{}}
	for _, name := range told {
		for _, value := range a.header.Values(name) {
			n.Header[name] = append(n.Header[name], s.text(value))
		}
	}
	n.Body = s.value("", readBody(a))
	return n
}

// readBody of any media type.
func readBody(a *answer) (body any) {
	data := a.body
	switch kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type")); kind {
	case "application/vnd.kubernetes.protobuf":
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
		if err != nil {
			return fmt.Sprintf("protobuf that cannot be read: %v", err)
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

// value without what differs by nature.
func (s *session) value(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if _, is := v["metadata"].(map[string]any); is {
			s.identify(v)
		}
		for name, inner := range v {
			v[name] = s.value(name, inner)
		}
		if fields, is := v["managedFields"].([]any); is {
			slices.SortFunc(fields, byManager) // the API server sorts them by the second in which they were written
		}
		return v
	case []any:
		for i, inner := range v {
			v[i] = s.value(key, inner)
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
		return s.text(v)
	}
	return v
}

// identify gives what differs by nature in an object, or a list, a symbol.
func (s *session) identify(object map[string]any) {
	m := object["metadata"].(map[string]any)
	text := func(name string) string { v, _ := m[name].(string); return v }
	if text("name") == "" && text("uid") == "" { // a list, a table or a bookmark: others write as well
		if rv := text("resourceVersion"); rv != "" && rv != "0" {
			m["resourceVersion"] = "REVISION"
		}
		return
	}
	if text("generateName") != "" {
		s.symbol("GENERATED", text("name"))
	}
	of := s.text(text("name"))
	s.symbol("UID of "+of, text("uid"))
	s.symbol("RV of "+of, text("resourceVersion"))
}

func (s *session) symbol(kind, actual string) {
	if actual == "" || s.symbols[actual] != "" {
		return
	}
	s.counts[kind]++
	s.symbols[actual] = fmt.Sprintf("%s %d", kind, s.counts[kind])
}

var (
	age = regexp.MustCompile(`^(<unknown>|<?\d+(s|ms|m)(\d+s)?)$`)
	// words are what a symbol may stand for in a text: names and uids.
	words = regexp.MustCompile(`[a-z0-9]+(-[a-z0-9]+)+`)
	// moment of a test; what scenarios write is of years before.
	moment = regexp.MustCompile(`20(2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	// revision in a text of the API server.
	revision = regexp.MustCompile(`(current: |version: \d+ \(|object meta: |in record \(|resourceVersion\W{1,8})\d+`)
)

// text with symbols for names and uids. A number is never one of them: it might be any.
func (s *session) text(text string) string {
	text = words.ReplaceAllStringFunc(text, func(word string) string {
		if symbol, ok := s.symbols[word]; ok {
			return symbol
		}
		return strings.ReplaceAll(word, s.namespace, "NAMESPACE")
	})
	return moment.ReplaceAllString(revision.ReplaceAllString(text, "${1}REVISION"), "TIME")
}

func byManager(a, b any) int {
	key := func(entry any) string {
		e, _ := entry.(map[string]any)
		return fmt.Sprint(e["manager"], e["operation"], e["subresource"], e["apiVersion"])
	}
	return strings.Compare(key(a), key(b))
}

// protobuf of an object in JSON, as typed clients of today write it.
func protobuf(text string) string {
	object, gvk, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		return text // the text of a step that sends nonsense on purpose
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	var body bytes.Buffer
	if err := scheme.Codecs.EncoderForVersion(info.Serializer, gvk.GroupVersion()).Encode(object, &body); err != nil {
		panic(err) // it was decoded by the same scheme
	}
	return body.String()
}
