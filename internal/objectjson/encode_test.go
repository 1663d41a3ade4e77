package objectjson

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type written struct {
	metav1.TypeMeta `json:",inline"`

	Text     string               `json:"text"`
	List     []string             `json:"list"`
	Optional []string             `json:"optional,omitempty"`
	Labels   map[string]string    `json:"labels,omitempty"`
	Raw      runtime.RawExtension `json:"raw,omitempty"`
	Selector *corev1.NodeSelector `json:"selector,omitempty"`
	Zero     corev1.NodeSelector  `json:"zero,omitzero"`
	Flag     bool                 `json:"flag,omitempty"`
}

func TestMarshal(t *testing.T) {
	term := corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "k", Operator: "Exists"}}}
	for want, value := range map[string]any{
		`null`:                             nil,
		`{"text":"","list":[],"raw":null}`: written{},
		`{"kind":"K","text":"<é\u0001�","list":["a"],"raw":null,"flag":true}`: &written{
			TypeMeta: metav1.TypeMeta{Kind: "K"}, Text: "<é\x01\xff", List: []string{"a"}, Optional: []string{},
			Labels: map[string]string{}, Flag: true,
		},
		`{"text":"","list":[],"labels":{"a":"1","b":"2","｡":"3","😀":"4"},` +
			`"raw":{"b":1.50,"a":"\u003c","a":1e2}}`: &written{
			Labels: map[string]string{"😀": "4", "b": "2", "｡": "3", "a": "1"},
			Raw:    runtime.RawExtension{Raw: []byte(`{"b": 1.50, "a": "\u003c", "a": 1e2}`)},
		},
		`{"text":"","list":[],"raw":null,"selector":{}}`: &written{Selector: &corev1.NodeSelector{}},
		`{"text":"","list":[],"raw":null,"selector":{"nodeSelectorTerms":[{"matchFields":[{"key":"k",` +
			`"operator":"Exists"}]}]}}`: &written{
			Selector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}},
		},
	} {
		if got := string(Marshal(value)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A client's RawExtension may hold anything. Reading what was written reports it.
func TestRawValuesThatAreNotJSON(t *testing.T) {
	for _, raw := range []string{` `, `x`, `{"a":`, `{} {}`, `[1,]`} {
		text := Marshal(&written{Raw: runtime.RawExtension{Raw: []byte(raw)}, Flag: true})
		if valid(text) {
			t.Errorf("%q is written as %s", raw, text)
		}
		if _, err := Decode(text, &written{}); err == nil {
			t.Errorf("%q is written as %s, which is decoded", raw, text)
		}
	}
}
