package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

var (
	// tagged is a version of ours where it stands for what is no release: in the name of an image, in a chart, and as what make and tests build.
	tagged = regexp.MustCompile(`(?m)/claimbridge:v([0-9]+\.[0-9]+\.[0-9]+)|^appVersion: v(\S+)$|^VERSION \?= v(\S+)$|^\tversion += "v([0-9.]+)"$`)
	// released is one where it stands for a release: in the names of its files, in commands that make it, and as what GitOps follows.
	released = regexp.MustCompile(`\bclaimbridge_v([0-9]+\.[0-9]+\.[0-9]+)_|\bclaimbridge-([0-9]+\.[0-9]+\.[0-9]+)\.tgz` +
		`|(?:ref: \{tag: |targetRevision: |VERSION=|checkout |-release=|/download/|rev: |claimbridge@)v([0-9]+\.[0-9]+\.[0-9]+)`)
	// beingMade is the version of the topmost section of the changelog, or the one that comes after that.
	beingMade = regexp.MustCompile(`(?m)^## \[([0-9]+\.[0-9]+\.[0-9]+)`)
)

// The tag of what is no release is the same everywhere, and so is the release that pages speak of: the one that is being made.
// docs/releases.md, which says how both are changed, speaks of that one alone.
func TestTheTagIsTheSameEverywhere(t *testing.T) {
	_, image, _ := strings.Cut(config.DefaultImage, ":v")
	changes, err := os.ReadFile("../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	topmost := beingMade.FindSubmatch(changes)
	if topmost == nil {
		t.Fatal("the changelog has no section")
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../README.md")

	for of, test := range map[string]struct {
		version *regexp.Regexp
		want    string
		files   map[string]int // in how many places at least
	}{
		"what is no release": {tagged, image, map[string]int{
			"manager/deployment.yaml": 1, "components/bridge/sidecar.yaml": 1, "charts/claimbridge/Chart.yaml": 1,
			"../Makefile": 1, "../test/node/image/project.go": 1, "../docs/quick-start.md": 2, "../docs/node.md": 1,
		}},
		"the release that is being made": {released, string(topmost[1]), map[string]int{"../docs/integrations.md": 3, "../docs/releases.md": 10, "../docs/chart.md": 2, "../docs/node.md": 1}},
	} {
		for _, page := range pages {
			if _, known := test.files[page]; !known {
				test.files[page] = 0
			}
		}
		for file, least := range test.files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := test.want
			if file == "../docs/releases.md" {
				want = string(topmost[1])
			}
			found := test.version.FindAllStringSubmatch(string(text), -1)
			if len(found) < least {
				t.Errorf("%s has the version of %s in %d places, not in %d", file, of, len(found), least)
			}
			for _, m := range found {
				if got := strings.Join(m[1:], ""); got != want {
					t.Errorf("%s: %q is not of %s, %s", file, m[0], of, want)
				}
			}
		}
	}
}
