package objects

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Cases of a test, by sentences, from a file of YAML. {times: 33, of: {name: "r#"}} is a list of 33 such items with their numbers for #, and
// {times: 33, text: x} a long text.
func Cases[T any](t testing.TB, file string) (cases map[string]T) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var tree any
	decode(t, file, text, &tree)
	var written bytes.Buffer
	e := json.NewEncoder(&written)
	e.SetEscapeHTML(false)
	if err := e.Encode(repeated(tree)); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	decode(t, file, written.Bytes(), &cases)
	return cases
}

// JSON in a case is written as YAML, or as the text itself, where its spelling counts.
type JSON string

// UnmarshalJSON takes a text as what it says.
func (j *JSON) UnmarshalJSON(value []byte) error {
	*j = JSON(value)
	if value[0] == '"' {
		return json.Unmarshal(value, (*string)(j))
	}
	return nil
}

func decode(t testing.TB, file string, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func repeated(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = repeated(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = repeated(v[name])
		}
		times, _ := v["times"].(json.Number)
		n, _ := strconv.Atoi(times.String())
		if text, is := v["text"].(string); is && n > 0 {
			return strings.Repeat(text, n)
		}
		if item, is := v["of"]; is && n > 0 {
			return items(n, item)
		}
	}
	return value
}

// items are so many, each with its number for #.
func items(n int, item any) (list []any) {
	text, _ := json.Marshal(item) // it was decoded
	for i := range n {
		list = append(list, json.RawMessage(bytes.ReplaceAll(text, []byte("#"), strconv.AppendInt(nil, int64(i), 10))))
	}
	return list
}
