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

// normalizedResponse is a response in which uids, resourceVersions, generated names and times are replaced by symbols.
// The same value has the same symbol in the whole session, so a value that changes unexpectedly is still found.
type normalizedResponse struct {
	Status int
	Header map[string][]string
	// Body is the decoded JSON, YAML or protobuf. It is a string if the body has none of these formats.
	Body any
}

// normalize replaces values that always differ by symbols.
func (s *session) normalize(resp *response) *normalizedResponse {
	n := &normalizedResponse{Status: resp.status, Header: map[string][]string{}}
	for _, name := range comparedHeaders {
		for _, value := range resp.header.Values(name) {
			n.Header[name] = append(n.Header[name], s.normalizeText(value))
		}
	}
	n.Body = s.normalizeValue("", decodeBody(resp))
	return n
}

// decodeBody decodes a JSON, YAML or protobuf body. It returns any other body as a string.
func decodeBody(resp *response) (body any) {
	data := resp.body
	switch kind, _, _ := mime.ParseMediaType(resp.header.Get("Content-Type")); kind {
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
		return string(resp.body)
	}
	return body
}

func jsonOf(object runtime.Object) runtime.Encoder {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	return scheme.Codecs.EncoderForVersion(info.Serializer, object.GetObjectKind().GroupVersionKind().GroupVersion())
}

// normalizeValue returns a value with symbols. The key is the name of the field with the value.
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
			slices.SortFunc(fields, compareManagers) // the API server sorts them by their time in seconds
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

// addSymbolsOf adds symbols for values in the metadata of an object or a list that always differ.
func (s *session) addSymbolsOf(object map[string]any) {
	metadata := object["metadata"].(map[string]any)
	text := func(field string) string {
		value, _ := metadata[field].(string)
		return value
	}
	if text("name") == "" && text("uid") == "" { // a list, a table or a bookmark: writes of other tests change it
		if rv := text("resourceVersion"); rv != "" && rv != "0" {
			metadata["resourceVersion"] = "REVISION"
		}
		return
	}
	if text("generateName") != "" {
		s.addSymbol("GENERATED", text("name"))
	}
	name := s.normalizeText(text("name"))
	s.addSymbol("UID of "+name, text("uid"))
	s.addSymbol("RV of "+name, text("resourceVersion"))
}

// addSymbol adds the symbol KIND NUMBER for a value, unless the value already has a symbol.
func (s *session) addSymbol(kind, value string) {
	if value == "" || s.symbols[value] != "" {
		return
	}
	s.counts[kind]++
	s.symbols[value] = fmt.Sprintf("%s %d", kind, s.counts[kind])
}

var (
	// age matches the age of an object in a table.
	age = regexp.MustCompile(`^(<unknown>|<?\d+(s|ms|m)(\d+s)?)$`)
	// symbolCandidates matches names and uids in a text.
	symbolCandidates = regexp.MustCompile(`[a-z0-9]+(-[a-z0-9]+)+`)
	// testTime matches a time at which a test may run. Times in scenarios have earlier years.
	testTime = regexp.MustCompile(`20(2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	// revision matches a resourceVersion in a text of the API server.
	revision = regexp.MustCompile(`(current: |version: \d+ \(|object meta: |in record \(|resourceVersion\W{1,8})\d+`)
)

// normalizeText returns a text with symbols for names, uids and times. It replaces numbers only where revision matches,
// because other numbers may not be resourceVersions.
func (s *session) normalizeText(text string) string {
	text = symbolCandidates.ReplaceAllStringFunc(text, func(word string) string {
		if symbol, ok := s.symbols[word]; ok {
			return symbol
		}
		return strings.ReplaceAll(word, s.namespace, "NAMESPACE")
	})
	return testTime.ReplaceAllString(revision.ReplaceAllString(text, "${1}REVISION"), "TIME")
}

// compareManagers orders entries of managedFields.
func compareManagers(a, b any) int {
	key := func(entry any) string {
		e, _ := entry.(map[string]any)
		return fmt.Sprint(e["manager"], e["operation"], e["subresource"], e["apiVersion"])
	}
	return strings.Compare(key(a), key(b))
}

// encodeProtobuf converts an object from JSON to protobuf, like typed clients of the newest release. It returns a
// malformed object unchanged.
func encodeProtobuf(text string) string {
	object, gvk, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		return text
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	var body bytes.Buffer
	if err := scheme.Codecs.EncoderForVersion(info.Serializer, gvk.GroupVersion()).Encode(object, &body); err != nil {
		panic(err) // it was decoded by the same scheme
	}
	return body.String()
}
