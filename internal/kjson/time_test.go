package kjson

import (
	"errors"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Whatever a time says comes back as the same instant, or is refused by its field.
func TestTimesComeBack(t *testing.T) {
	type holder struct {
		Each []struct {
			At *metav1.Time `json:"at"`
		} `json:"each"`
		When metav1.Time `json:"when"`
	}
	const none, far = "must be a time as RFC 3339 has it", "whose year in UTC is"
	for text, test := range map[string]struct{ written, why string }{
		`null`:                                  {written: `null`},
		`"2026-01-31T12:00:00Z"`:                {written: `"2026-01-31T12:00:00Z"`},
		`"2026-01-31T12:00:00.120000001+05:30"`: {written: `"2026-01-31T06:30:00.120000001Z"`},
		`"0001-01-01T00:00:00Z"`:                {written: `"0001-01-01T00:00:00Z"`},
		`"0001-01-01T01:00:00+01:00"`:           {written: `"0001-01-01T00:00:00Z"`},
		`"0000-01-01T00:00:00Z"`:                {written: `"0000-01-01T00:00:00Z"`},
		`"0000-01-01T00:00:00-01:00"`:           {written: `"0000-01-01T01:00:00Z"`},
		`"0000-01-01T00:00:00+01:00"`:           {why: far},
		`"9999-12-31T23:59:59Z"`:                {written: `"9999-12-31T23:59:59Z"`},
		`"9999-12-31T23:59:59+01:00"`:           {written: `"9999-12-31T22:59:59Z"`},
		`"9999-12-31T23:59:59-01:00"`:           {why: far},
		`"10000-01-01T00:00:00Z"`:               {why: none},
		`"2026-01-31 12:00:00Z"`:                {why: none},
		`"2026-01-31"`:                          {why: none},
		`"yesterday"`:                           {why: none},
		`""`:                                    {why: none},
		`1769860800`:                            {why: none},
		`{}`:                                    {why: none},
	} {
		var read metav1.Time
		if done := ReadStrictly([]byte(text), &read); done != (test.why == "") {
			t.Errorf("%s is read: %v", text, done)
		} else if done {
			if got := string(Marshal(&read)); got != test.written {
				t.Errorf("%s is written as %s", text, got)
			}
		}
		var into holder
		_, err := Decode([]byte(`{"when":"2026-01-31T12:00:00Z","each":[{},{"at":`+text+`}]}`), &into)
		var why *DecodeError
		switch {
		case test.why == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case test.why != "" && (!errors.As(err, &why) || why.Field != "each[1].at" || !strings.Contains(why.Why, test.why)):
			t.Errorf("%s: %v", text, err)
		case into.Each != nil && into.Each[1].At != nil && !into.Each[1].At.Time.Equal(read.Time):
			t.Errorf("%s is decoded as %s", text, into.Each[1].At.Format(time.RFC3339Nano))
		}
	}
}
