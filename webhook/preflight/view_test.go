package preflight

import "testing"

func TestWordsOfOthersStayOnTheirLine(t *testing.T) {
	v := &view{check: claimsCanBeWritten}
	v.report(Object{Kind: "ResourceClaim"}, "denied: no\nno problems found (33 checks)\x1b[2J", say("ask\r%s", "\u2028them"))
	want := Finding{Severity: Problem, Object: Object{Kind: "ResourceClaim"}, What: "denied: no no problems found (33 checks) [2J", Remedy: "ask  them"}
	if got := v.findings[0]; got != want {
		t.Errorf("%+q", got)
	}
}
