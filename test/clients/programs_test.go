//go:build e2e

package clients

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spoken version in the source of a client. Its package is of the release, so it compiles only when that has the version.
var spoken = regexp.MustCompile(`(?m)^\t\t"(v\w+)": +client\.Of\(`)

func TestTheTablesAgree(t *testing.T) {
	for version, release := range Releases {
		if !slices.Contains(Speaks[release], version) {
			t.Errorf("the client of %s does not speak %s", release, version)
		}
	}
	sources, err := filepath.Glob("client/*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	speak := map[string][]string{}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		release := filepath.Base(filepath.Dir(source))
		for _, version := range spoken.FindAllStringSubmatch(string(text), -1) {
			speak[release] = append(speak[release], version[1])
		}
	}
	if diff := cmp.Diff(Speaks, speak); diff != "" {
		t.Errorf("what the clients speak (-table +sources):\n%s", diff)
	}
}
