package yamledit

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// No known edit has such a result; it is checked nevertheless.
func TestAWrongResultIsRejected(t *testing.T) {
	d := must.Get(yamldoc.ParseText([]byte("a: b # c\n"), yamldoc.Position{}))(t)
	s := must.Get(readYAML(d))(t)
	for text, want := range map[string]string{
		"a: d # c\n":      "",
		"# c\na: d\n":     "",
		"a: d\n":          "line 1: a comment would be lost",
		"a: d # e\n":      "line 1: a comment would be lost",
		"a: 'd # c'\n":    "would not be equivalent",
		"a: d # c\n# c\n": "the number of comments would change from 1 to 2",
		"a: d # c\n# e\n": "the number of comments would change from 1 to 2",
		"a: b # c\n":      "would not be equivalent",
		"a: [d # c\n":     "would not be YAML",
		"# c\n":           "would not be YAML",
	} {
		err := s.verify([]byte(text), []byte(`{"a":"d"}`))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
