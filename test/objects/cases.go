package objects

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Cases returns the cases of a test by name from a YAML file. {times: 33, of: {name: "r#"}} is a list of 33 such items
// with their numbers for #, and {times: 33, text: x} a long text.
func Cases[T any](t testing.TB, file string) (cases map[string]T) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		data, err = yaml.YAMLToJSONStrict(data)
	}
	if err == nil {
		err = yaml.UnmarshalStrict(repeated(data), &cases)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return cases
}

func repeated(value json.RawMessage) json.RawMessage {
	var items []json.RawMessage
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &items) == nil && items != nil {
		for i := range items {
			items[i] = repeated(items[i])
		}
		return marshal(items)
	}
	if json.Unmarshal(value, &members) != nil || members == nil {
		return value
	}
	for name := range members {
		members[name] = repeated(members[name])
	}
	times, _ := strconv.Atoi(string(members["times"]))
	if text := string(members["text"]); times > 0 && text != "" {
		return json.RawMessage(`"` + strings.Repeat(text[1:len(text)-1], times) + `"`)
	}
	for i := range times {
		items = append(items, json.RawMessage(strings.ReplaceAll(string(members["of"]), "#", strconv.Itoa(i))))
	}
	if items != nil {
		return marshal(items)
	}
	return marshal(members)
}

func marshal(value any) json.RawMessage {
	text, _ := json.Marshal(value) // of texts that were read
	return text
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
