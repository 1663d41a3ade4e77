package merge

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// said appends what a value says to an API server of this package's release, as a text that is the same for values that are the
// same: without what came later, and without what is not set. So items are found by what they say, in one pass over two lists.
func (s *Shape) said(out, value []byte) []byte {
	switch {
	case (s.nature == object || s.nature == table) && Is(value, '{'):
		m := MembersOf(value)
		known := map[string][]byte{}
		for _, member := range m.List {
			if f := s.member(member.Name); !f.later && !f.unset(member.Value) {
				known[member.Name] = member.Value
			}
		}
		out = append(out, '{')
		for _, name := range slices.Sorted(maps.Keys(known)) {
			out = s.member(name).said(kjson.AppendName(out, name), known[name])
		}
		return append(out, '}')
	case s.nature == list && Is(value, '['):
		out = append(out, '[')
		for _, item := range ItemsOf(value) {
			out = append(s.item.said(out, item), ',')
		}
		return append(out, ']')
	case s.nature == quantity:
		if q := (resource.Quantity{}); decode(value, &q) {
			return append(out, digits(q.AsDec().String())...)
		}
	case s.nature == moment:
		if t := (metav1.Time{}); decode(value, &t) {
			return append(out, t.UTC().String()...)
		}
	}
	return append(out, kjson.CanonicalForm(value)...)
}
