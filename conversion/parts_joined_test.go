package conversion

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"testing"
)

// partsJoined is an object, with its members sorted, that has each entry in parts as a whole. The text in parts has the spelling that its entry
// had when it was split, to the byte, which says no more than any other spelling of it.
func partsJoined(t *testing.T, object []byte) []byte {
	t.Helper()
	if !bytes.Contains(object, []byte(`"kind":"Part"`)) {
		return object
	}
	out, err := json.Marshal(joined(t, anyOf(t, object)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func joined(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = joined(t, value)
		}
	case []any:
		var list []any
		var text []byte
		for _, item := range v {
			entry, _ := item.(map[string]any)
			opaque, _ := entry["opaque"].(map[string]any)
			part, _ := opaque["parameters"].(map[string]any)
			if part["kind"] != "Part" {
				list = append(list, joined(t, item))
				continue
			}
			piece, err := base64.StdEncoding.DecodeString(part["text"].(string))
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, piece...)
			number, _ := part["part"].(json.Number)
			parts, _ := part["parts"].(json.Number)
			if n, _ := number.Int64(); json.Number(jsonInt(n+1)) != parts {
				continue
			}
			opaque["parameters"] = anyOf(t, text)
			list, text = append(list, item), nil
		}
		if text != nil {
			t.Fatal("parts of an entry are missing")
		}
		return list
	}
	return v
}

func jsonInt(n int64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func anyOf(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
