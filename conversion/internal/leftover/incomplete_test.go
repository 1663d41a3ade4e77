package leftover

import "testing"

// What one step lacks, the next one does not make good; the bytes are those of the steps that lack something.
func TestIncompletePartsAddUp(t *testing.T) {
	spec, status := Annotation{Spec: &Part{}}, Annotation{Status: &Part{}}
	for name, test := range map[string]struct {
		add         []Annotation
		want        string
		unallocated bool
	}{
		"nothing":                             {nil, "", false},
		"the spec, then status":               {[]Annotation{spec, status}, "both", false},
		"the status, then a spec":             {[]Annotation{status, spec}, "both", false},
		"the spec twice":                      {[]Annotation{spec, spec}, "spec", false},
		"the status twice":                    {[]Annotation{status, status}, "status", false},
		"the spec of a claim not allocated":   {[]Annotation{spec}, "spec", true},
		"the status of a claim not allocated": {[]Annotation{status}, "devices", true},
		"both of one that is not allocated":   {[]Annotation{status, spec}, "spec-and-devices", true},
	} {
		t.Run(name, func(t *testing.T) {
			var i incomplete
			for _, lacking := range test.add {
				i.add(lacking, test.unallocated, 10)
			}
			if i.String() != test.want || i.bytes != 10*len(test.add) {
				t.Errorf("%q, %d bytes", i, i.bytes)
			}
		})
	}
}
