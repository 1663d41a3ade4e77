package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// What krew's guide asks of a manifest, and its index refuses otherwise: https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest. krew is no module that
// can be fetched, and has never read ours.
func TestThePluginIsAsKrewsGuideSays(t *testing.T) {
	r := release{version: "v0.2.0", staging: t.TempDir()}
	inside := map[string]map[string]bool{} // files by the platform of their archive
	for _, platform := range platforms {
		name, pack := "claimbridge_v0.2.0_"+strings.ReplaceAll(platform, "/", "_")+".tar.gz", packTar
		if strings.HasPrefix(platform, "windows/") {
			name, pack = strings.TrimSuffix(name, ".tar.gz")+".zip", packZip
		}
		entries := []entry{{"LICENSE", 0o644, []byte("text")}}
		inside[platform] = map[string]bool{"LICENSE": true}
		for _, program := range programsOf(platform) {
			entries = append(entries, entry{program, 0o755, []byte(platform)})
			inside[platform][program] = true
		}
		content, err := pack(entries, time.Unix(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.put(name, content); err != nil {
			t.Fatal(err)
		}
		r.built = append(r.built, archive{platform: platform, name: name})
	}
	if err := r.makePlugin(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(r.staging, "*.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var p plugin
	if err := yaml.UnmarshalStrict(text, &p); err != nil {
		t.Fatal(err)
	}
	name, _ := p.Metadata["name"].(string)
	for rule, holds := range map[string]bool{
		"the API is krew's":                                    p.APIVersion == "krew.googlecontainertools.github.com/v1alpha2" && p.Kind == "Plugin",
		"the file is called like the plugin":                   filepath.Base(files[0]) == name+".yaml",
		"the name is lower case, with no kubectl- before it":   regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(name) && !strings.HasPrefix(name, "kube"),
		"the version is semantic, with a v":                    semantic.MatchString(p.Spec.Version),
		"the short description is one line of some 50 letters": p.Spec.ShortDescription != "" && len(p.Spec.ShortDescription) <= 50 && !strings.ContainsAny(p.Spec.ShortDescription, "\n\r") && !strings.HasSuffix(p.Spec.ShortDescription, "."),
		"the description fits a terminal":                      p.Spec.Description != "" && !regexp.MustCompile(`(?m)^.{101}`).MatchString(p.Spec.Description),
		"there is a homepage":                                  strings.HasPrefix(p.Spec.Homepage, "https://"),
		"each platform has a build":                            len(p.Spec.Platforms) == len(platforms),
	} {
		if !holds {
			t.Errorf("not so: %s\n%s", rule, text)
		}
	}
	seen := map[string]bool{}
	for _, build := range p.Spec.Platforms {
		labels := build.Selector["matchLabels"]
		platform := labels["os"] + "/" + labels["arch"]
		if seen[platform] || len(build.Selector) != 1 || len(labels) != 2 || inside[platform] == nil {
			t.Errorf("%v selects no platform, or one that another does", build.Selector)
			continue
		}
		seen[platform] = true
		installed := map[string]bool{}
		for _, f := range build.Files {
			if !inside[platform][f.From] || !filepath.IsLocal(f.To) {
				t.Errorf("%s: %+v is no file of the archive, or leads out of the plugin's folder", platform, f)
			}
			installed[path.Join(f.To, f.From)] = true
		}
		if !installed[build.Bin] || !installed["LICENSE"] || strings.HasPrefix(platform, "windows/") != strings.HasSuffix(build.Bin, ".exe") {
			t.Errorf("%s: the program is %s, and installed is %v", platform, build.Bin, installed)
		}
		archive := path.Base(build.URI)
		if sum := (made{folder: r.staging}).sum(t, archive); build.SHA256 != sum || !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(sum) || build.URI != r.url(archive) {
			t.Errorf("%s: %+v", platform, build)
		}
	}
}
