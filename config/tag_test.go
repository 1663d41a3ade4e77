package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	// tagged matches a version of claimbridge in names of images and files, charts, commands, and GitOps sources.
	tagged = regexp.MustCompile(`(?m)/claimbridge:v([0-9]+\.[0-9]+\.[0-9]+)|^appVersion: v(\S+)$|^VERSION \?= ` +
		`v(\S+)$|^\tversion += "v([0-9.]+)"$` +
		`|\bclaimbridge_v([0-9]+\.[0-9]+\.[0-9]+)_|\bclaimbridge-([0-9]+\.[0-9]+\.[0-9]+)\.tgz` +
		`|(?:(?:ref|image): \{tag: |targetRevision: |VERSION=|checkout |-release=|/download/|rev: ` +
		`|claimbridge@)v([0-9]+\.[0-9]+\.[0-9]+)`)
	// nextVersion returns the version of the topmost section of the changelog.
	nextVersion = regexp.MustCompile(`(?m)^## \[([0-9]+\.[0-9]+\.[0-9]+)`)
)

// Everything that names a version of claimbridge names the next one.
func TestTheTagIsTheSameEverywhere(t *testing.T) {
	files := map[string]int{ // the minimum number of places
		"options.go":                            1,
		"manager/deployment.yaml":               1,
		"components/bridge/sidecar.yaml":        1,
		"charts/claimbridge/Chart.yaml":         1,
		"../Makefile":                           1,
		"../test/node/image/image.go":           1,
		"../docs/examples/devices/sidecar.yaml": 1,
		"../docs/quick-start.md":                2,
		"../docs/node.md":                       2,
		"../docs/bridge.md":                     1,
		"../docs/integrations.md":               3,
		"../docs/releases.md":                   10,
		"../docs/chart.md":                      4,
		"../README.md":                          0,
		"../CHANGELOG.md":                       0,
	}
	for _, page := range must.Get(filepath.Glob("../docs/*.md"))(t) {
		files[page] += 0
	}
	text := map[string]string{}
	for file := range files {
		text[file] = string(must.Get(os.ReadFile(file))(t))
	}
	topmost := nextVersion.FindStringSubmatch(text["../CHANGELOG.md"])
	if topmost == nil {
		t.Fatal("the changelog has no section")
	}
	for file, least := range files {
		found := tagged.FindAllStringSubmatch(text[file], -1)
		if len(found) < least {
			t.Errorf("%s has the version in %d places, not in %d", file, len(found), least)
		}
		for _, m := range found {
			if got := strings.Join(m[1:], ""); got != topmost[1] {
				t.Errorf("%s: %q is not of %s", file, m[0], topmost[1])
			}
		}
	}
	if _, tag, _ := strings.Cut(config.DefaultImage, ":"); tag != "v"+topmost[1] {
		t.Errorf("the manifests have the image %s, not of %s", config.DefaultImage, topmost[1])
	}
}
