package preflight

import "testing"

func TestWordsOfOthersStayOnTheirLine(t *testing.T) {
	r := &report{severity: Problem}
	r.problem(Object{Kind: "ResourceClaim"}, "denied: no\nno problems found (33 checks)\x1b[2J",
		say("ask\r%s", "\u2028them"))
	want := Finding{
		Severity: Problem,
		Object:   Object{Kind: "ResourceClaim"},
		What:     "denied: no no problems found (33 checks) [2J",
		Remedy:   "ask  them",
	}
	if got := r.findings[0]; got != want {
		t.Errorf("%+q", got)
	}
}

func TestCommandsAreQuoted(t *testing.T) {
	o := Options{ClusterFlags: []string{"--context=my cluster"}, Namespace: "n"}
	got, want := o.inNamespace("get", "it's", "a=b"), `kubectl '--context=my cluster' -n n get 'it'\''s' a=b`
	if got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}
