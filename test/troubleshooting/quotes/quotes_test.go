package quotes

import "testing"

func TestIsIn(t *testing.T) {
	for name, test := range map[string]struct {
		quote Quote
		text  string
		want  bool
	}{
		"the same text":               {"error: (a)", "error: (a)", true},
		"in a longer line":            {"is bad", "error: it is bad indeed", true},
		"another text":                {"is bad", "error: it is good", false},
		"dots stand for anything":     {"User ... cannot get", `User "a" cannot get`, true},
		"a dot is a dot":              {"a.b", "a-b", false},
		"dots stand for no line feed": {"a ... b", "a \n b", false},
		"columns of a table":          {"Failed True ... Bad", "Type\nFailed    True  today   Bad\n", true},
		"an address and the port of claimbridge": {
			"Post https://a.svc:443/convert: dial tcp 10.96.0.10:443",
			"Post https://a.svc:31/convert: dial tcp 127.0.0.1:31",
			true,
		},
		"the group of a test": {"of claims.example.com", "of other.example.com", true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.quote.IsIn(test.text); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestFindNeedsAUniquePart(t *testing.T) {
	all := []Quote{"error: a", "error: a and b", "c"}
	for part, want := range map[string]Quote{"error: a": "error: a", "and b": "error: a and b", "error": "", "x": ""} {
		if got, err := Find(all, part); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", part, got, err)
		}
	}
}
