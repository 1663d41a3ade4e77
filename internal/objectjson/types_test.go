package objectjson

import (
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A quantity of ten bytes could keep a core busy for a minute.
func TestLargeQuantitiesAreRejected(t *testing.T) {
	type holder struct {
		Requests map[string]resource.Quantity `json:"requests"`
		Each     []struct {
			More *resource.Quantity `json:"more"`
		} `json:"each"`
	}
	for text, read := range map[string]bool{
		`"10Gi"`:                               true,
		`"1e3"`:                                true,
		`"1e-99"`:                              true,
		`"5E"`:                                 true,
		`"1Ei"`:                                true,
		`"123456789012345678"`:                 true,
		`17`:                                   true,
		`1e3`:                                  true,
		`"1000E"`:                              true,
		`"1000000000000000000000"`:             true,
		`"999E"`:                               true,
		`"0.1e-99"`:                            false,
		`"0.5"`:                                true,
		`"1500m"`:                              true,
		`"0"`:                                  true,
		`"-3"`:                                 true,
		`"1e-9999999"`:                         false,
		`"1E+1000"`:                            false,
		`"\u0031e-9999999"`:                    false,
		`1e-9999999`:                           false,
		`" 1Gi "`:                              true,
		`"1e-9999999 "`:                        false,
		`"` + strings.Repeat("1", 65) + `"`:    false,
		strings.Repeat("1", 65):                false,
		`"0.` + strings.Repeat("0", 64) + `1"`: false,
	} {
		for _, object := range []string{`{"requests":{"m":` + text + `}}`, `{"each":[{},{"more":` + text + `}]}`} {
			_, err := Decode([]byte(object), &holder{})
			if (err == nil) != read {
				t.Errorf("%s: %v", object, err)
			}
			var why *FieldError
			if !read && (!errors.As(err, &why) || why.Field == "" ||
				!strings.Contains(err.Error(), "is a quantity of ")) {
				t.Errorf("%s: %v", object, err)
			}
		}
	}
}

// A quantity keeps its value when it is decoded and encoded, also beyond the precision of the library.
func TestQuantitiesKeepTheirValue(t *testing.T) {
	for text, want := range map[string]string{
		"1024Mi": "1Gi", "0.5": "500m", "1e3": "1e3", "1000m": "1", "1500u": "1500u", "12e-1": "1200e-3", "-0": "0",
		"1E3": "1E3", "1.5Gi": "1536Mi", "9223372036854775807": "9223372036854775807", "7Ei": "7Ei",
		"8Ei": "8Ei", "9000Ei": "9000Ei", "-9000Ei": "-9000Ei", "1024Ei": "1180591620717411303424", "1.5Ei": "1536Pi",
		"16384Pi": "16Ei", "10000000Ti": "10000000Ti", "9223372036854775808": "9223372036854775808",
		"999E": "999E", "1000E": "1e21", "1234567E": "1234567E", "1000000000000000000000": "1e21", "1e30": "1e30",
		"1n":              "1n",
		"0.1n":            "100e-12",
		"1e-12":           "1e-12",
		"-1e-12":          "-1e-12",
		"0.0000000001":    "100e-12",
		"1.0000000001":    "1000000000100e-12",
		"0.00000000001Ki": "10240e-12",
		"0.1e-8":          "1e-9",
		"0.01e-8":         "100e-12",
		"0.0000000001e3":  "100e-9",
		"+1e-12":          "1e-12",
		".5e-12":          "500e-15",
	} {
		var read resource.Quantity
		if !DecodeStrict(Quote(text), &read) {
			t.Errorf("%s is not read", text)
			continue
		}
		got := StringOf(Marshal(&read))
		if got != want {
			t.Errorf("%s is written as %s, want %s", text, got, want)
		}
		var again resource.Quantity
		if !DecodeStrict(Quote(got), &again) || again.Cmp(read) != 0 || StringOf(Marshal(&again)) != got {
			t.Errorf("%s is written as %s, which is another quantity", text, got)
		}
	}
}

// A time keeps its instant in a round trip, or is rejected with its field.
func TestTimesRoundTrip(t *testing.T) {
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
		if done := DecodeStrict([]byte(text), &read); done != (test.why == "") {
			t.Errorf("%s is read: %v", text, done)
		} else if done {
			if got := string(Marshal(&read)); got != test.written {
				t.Errorf("%s is written as %s", text, got)
			}
		}
		var into holder
		_, err := Decode([]byte(`{"when":"2026-01-31T12:00:00Z","each":[{},{"at":`+text+`}]}`), &into)
		var why *FieldError
		switch {
		case test.why == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case test.why != "" && (!errors.As(err, &why) || why.Field != "each[1].at" ||
			!strings.Contains(why.Reason, test.why)):
			t.Errorf("%s: %v", text, err)
		case into.Each != nil && into.Each[1].At != nil && !into.Each[1].At.Time.Equal(read.Time):
			t.Errorf("%s is decoded as %s", text, into.Each[1].At.Format(time.RFC3339Nano))
		}
	}
}
