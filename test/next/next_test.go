package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

// provisional are modules of a release that is not out.
var provisional = regexp.MustCompile(`-(alpha|beta|rc)\.|is not there yet`)

// What changed with each release from 1.37 on was printed when its row was written, and each change
// has one: where a row is taken away or says something else, or a new release was not looked at,
// this is red.
func TestEveryChangeOfAReleaseHasARow(t *testing.T) {
	for _, r := range api.Releases() {
		minor := api.Minor(r.Name)
		if minor < 37 {
			continue
		}
		file := fmt.Sprintf("testdata/1.%d-%s.md", minor-1, r.Name)
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v: go run ./test/next 1.%d %s > test/next/%s, and read it", err, minor-1, r.Name, file)
			continue
		}
		if r.Provisional == "" && provisional.Match(kept) {
			t.Errorf("%s was read from what is not Kubernetes %s yet: print it anew", file, r.Name)
		}
		changes := 0
		for line := range strings.Lines(string(kept)) {
			cells := strings.Split(strings.Trim(strings.ReplaceAll(strings.TrimSpace(line), `\|`, ""), "|"), " | ")
			if len(cells) != 4 || strings.TrimSpace(cells[0]) == "what" {
				continue
			}
			changes++
			row := rowOf(strings.TrimSpace(cells[0]), cells[2], r.Name)
			if row == none || row != strings.TrimSpace(cells[3]) {
				t.Errorf("%s: %s becomes %s: its row is %s, and was %s", file, cells[0], cells[2], row, cells[3])
			}
		}
		if changes == 0 {
			t.Errorf("%s has %d changes", file, changes)
		}
	}
}

func TestARowThatSaysSomethingElseIsNone(t *testing.T) {
	for key, test := range map[string]struct{ now, release, want string }{
		"field v1 ExactDeviceRequest.derivedAttributes": {"[]DeviceDerivedAttribute", "1.37", "`api/fields.go`"},
		"field v1 ExactDeviceRequest.something":         {"string", "1.38", none},
		"gate DRADerivedAttributes":                     {"on, Beta", "1.38", none},
		"gate DRAConsumableCapacity":                    {"on, Beta", "1.36", "`api/fields.go`"},
		"end of v1beta1":                                {"1.38", "1.35", "`api/versions.go`"},
		"end of v1beta2":                                {"1.40", "1.38", none},
		"function validation ValidateSomething":         {"ab", "1.38", none},
		"tags v1 ResourceClaimSpec.devices":             {"+k8s:new", "1.38", none},
		"check v1 DeviceClaim":                          {"validate.New", "1.36", "rules: the judge"},
	} {
		if got := rowOf(key, test.now, test.release); got != test.want {
			t.Errorf("%s is %s in %s: %s, want %s", key, test.now, test.release, got, test.want)
		}
	}
}
