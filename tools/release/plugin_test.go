package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// TestKrewInstallsThePluginOnEachPlatform checks that krew installs the plugin from the archive of each platform, and
// that krew's index would accept the manifest. It runs the validator of the index, and checks the other requirements in
// https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest.
func TestKrewInstallsThePluginOnEachPlatform(t *testing.T) {
	r := release{version: "v0.2.0", staging: t.TempDir()}
	for _, platform := range platforms {
		name := "claimbridge_v0.2.0_" + strings.ReplaceAll(platform, "/", "_") + ".tar.gz"
		pack := packTarGz
		if strings.HasPrefix(platform, "windows/") {
			name = strings.TrimSuffix(name, ".tar.gz") + ".zip"
			pack = packZip
		}
		entries := []entry{
			{Name: "LICENSE", Mode: 0o644, Content: []byte("text")},
			{Name: programFileName(platform), Mode: 0o755, Content: []byte(platform)},
		}
		content := must(pack(entries, time.Unix(1, 0)))(t)
		mustDo(t, r.addFile(name, content))
		r.archives = append(r.archives, archive{platform: platform, name: name})
	}
	mustDo(t, r.writePlugin(t.Context()))
	files, err := filepath.Glob(filepath.Join(r.staging, "*.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("manifests: got %q and error %v, want one file", files, err)
	}
	text := must(os.ReadFile(files[0]))(t)
	p := parsePlugin(t, text)
	for requirement, isMet := range map[string]bool{
		"the name is lower case, without the prefix kubectl-": regexp.MustCompile(`^[a-z][a-z0-9-]*$`).
			MatchString(p.Metadata.Name) && !strings.HasPrefix(p.Metadata.Name, "kube"),
		"the short description is one line of at most 50 characters": p.Spec.ShortDescription != "" &&
			len(p.Spec.ShortDescription) <= 50 && !strings.ContainsAny(p.Spec.ShortDescription, "\n\r") &&
			!strings.HasSuffix(p.Spec.ShortDescription, "."),
		"lines of the description have at most 100 characters": p.Spec.Description != "" &&
			!regexp.MustCompile(`(?m)^.{101}`).MatchString(p.Spec.Description),
		"there is a homepage":       strings.HasPrefix(p.Spec.Homepage, "https://"),
		"each platform has a build": len(p.Spec.Platforms) == len(platforms),
	} {
		if !isMet {
			t.Errorf("requirement %q is not met:\n%s", requirement, text)
		}
	}
	k := newKrew(t)
	k.validate(t, files[0])
	for i, platform := range platforms {
		folder, link := k.install(t, files[0], filepath.Join(r.staging, r.archives[i].name), platform)
		if got, err := os.ReadFile(link); err != nil || string(got) != platform {
			t.Errorf("content of the installed program: got %q and error %v, want %q", got, err, platform)
		}
		if _, err := os.Stat(filepath.Join(folder, "LICENSE")); err != nil {
			t.Errorf("%s: %v", platform, err)
		}
		if build := p.Spec.Platforms[i]; build.URI != r.url(r.archives[i].name) {
			t.Errorf("%s: got URI %s, want %s", platform, build.URI, r.url(r.archives[i].name))
		}
	}
}

// plugin has the fields of a plugin manifest that tests check. krew validates the other fields.
type plugin struct {
	Metadata struct{ Name string }
	Spec     struct {
		Version, Homepage, ShortDescription, Description string
		Platforms                                        []struct{ URI, SHA256 string }
	}
}

func parsePlugin(t *testing.T, manifest []byte) (p plugin) {
	t.Helper()
	mustDo(t, yaml.Unmarshal(manifest, &p))
	return p
}
