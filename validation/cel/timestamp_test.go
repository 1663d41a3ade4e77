package cel

import "testing"

// TestTimestampsAreParsedLikeTheRelease: the validators of 1.31 to 1.38 accept and reject the same literals.
func TestTimestampsAreParsedLikeTheRelease(t *testing.T) {
	for text, isValid := range map[string]bool{
		"2024-01-01T01:00:00Z":        true,
		"2024-01-01T1:00:00Z":         true, // an hour of one digit
		"2024-01-01T00:00:00,5Z":      true, // a comma
		"2024-01-01T00:00:00+24:00":   true, // Go checks neither part of an offset
		"2024-01-01T00:00:00.5+01:00": true,
		"0001-01-01T00:00:00Z":        true,
		"9999-12-31T23:59:59Z":        true,
		"2024-01-01 00:00:00Z":        false,
		"2024-01-01t00:00:00z":        false,
		"2024-02-30T00:00:00Z":        false,
		"2024-01-01T00:00:60Z":        false,
		"0001-01-01T00:00:00+01:00":   false, // the year 0
		"9999-12-31T23:59:59-01:00":   false, // the year 10000
		"yesterday":                   false,
		"":                            false,
		"null":                        false,
	} {
		for release := oldest; release <= newest; release++ {
			result, _ := compile(source{
				expression: `timestamp("` + text + `") < timestamp("2030-01-01T00:00:00Z")`,
				release:    release,
			})
			if result.Type == "" != isValid {
				t.Errorf("1.%d: %q is valid is %v, want %v: %s", release, text, !isValid, isValid, result.Detail)
			}
		}
	}
}
