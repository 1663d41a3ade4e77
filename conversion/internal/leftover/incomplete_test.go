package leftover

import "testing"

// What one step lacks, the next one does not make good; the bytes are those of the steps that lack something.
func TestIncompletePartsAddUp(t *testing.T) {
	spec, status := Annotation{Spec: &Part{}}, Annotation{Status: &Part{}}
	for name, test := range map[string]struct {
		add  []Annotation
		want string
	}{
		"nothing":                 {nil, ""},
		"the spec, then status":   {[]Annotation{spec, status}, "both"},
		"the status, then a spec": {[]Annotation{status, spec}, "both"},
		"the spec twice":          {[]Annotation{spec, spec}, "spec"},
		"the status twice":        {[]Annotation{status, status}, "status"},
	} {
		t.Run(name, func(t *testing.T) {
			var i incomplete
			for _, lacking := range test.add {
				i.add(lacking, 10)
			}
			if i.String() != test.want || i.bytes != 10*len(test.add) {
				t.Errorf("%q, %d bytes", i, i.bytes)
			}
		})
	}
}
