package splice_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
)

// What a result has is compared with what its source had, so both must be found alike.
func TestCommentsOfResultsAreFoundAsThoseOfSources(t *testing.T) {
	texts := []string{
		"a: b # c\n", "a: 'b # c' # d\n", "a: b#c\n", "a: &b#c d # e\nf: *b # g\n", "a: !x#y z # b\n", "a: |2 # b\n    c # d\n# e\n", "- # a\n  b: # c\n  - d\n",
		"a: [b, # c\n  d#e, {f: 'g # h'}] # i\n# j\n", "a: >-\n  b\n # c\n\nd: \"e\n  # f\" # g\n", "? a # b\n: c # d\n", "%YAML 1.1 # a\n--- # b\nc: d # e\n... # f\n", "a: # b",
	}
	for _, e := range edits {
		texts = append(texts, e.before, e.after)
	}
	for i, d := range corpus(t) {
		text := string(d.Text())
		for way := range ways {
			other, _ := rewritten(text, rand.New(rand.NewPCG(uint64(i), uint64(way))))
			texts = append(texts, other)
		}
	}
	compared := 0
	for _, text := range texts {
		d, err := manifest.ParseText([]byte(text), manifest.Position{})
		if err != nil || d.Node() == nil {
			continue
		}
		source, result, err := splice.CommentsTwice(d)
		if err != nil {
			continue
		}
		compared++
		if diff := cmp.Diff(source, result); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
	if compared*10 < len(texts)*9 {
		t.Errorf("%d of %d texts were compared", compared, len(texts))
	}
}
