package objects

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Cases returns the cases of a test by name from a YAML file. In it, {times: 33, of: {name: "r#"}} stands for a list of
// 33 such items, with the index of the item instead of #, and {times: 33, text: x} for x repeated 33 times.
func Cases[T any](t testing.TB, file string) (cases map[string]T) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		data, err = yaml.YAMLToJSONStrict(data)
	}
	if err == nil {
		err = yaml.UnmarshalStrict(expandRepetitions(data), &cases)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return cases
}

// expandRepetitions replaces the objects that have a member "times".
func expandRepetitions(value json.RawMessage) json.RawMessage {
	var items []json.RawMessage
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &items) == nil && items != nil {
		for i := range items {
			items[i] = expandRepetitions(items[i])
		}
		return marshal(items)
	}
	if json.Unmarshal(value, &members) != nil || members == nil {
		return value
	}
	for name := range members {
		members[name] = expandRepetitions(members[name])
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
	text, _ := json.Marshal(value) // it was parsed from JSON
	return text
}

// JSON is a JSON value in a case. The file has it as YAML, or as a string if its exact spelling matters.
type JSON string

// UnmarshalJSON uses the content of a string, and the text of any other value.
func (j *JSON) UnmarshalJSON(value []byte) error {
	*j = JSON(value)
	if value[0] == '"' {
		return json.Unmarshal(value, (*string)(j))
	}
	return nil
}
