package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func (m builtRelease) manifests(t *testing.T) {
	image := regexp.MustCompile(`(?m)^ +image: (.*)$`)
	var index struct{ Manifests []struct{ Digest string } }
	mustDo(t,
		json.Unmarshal([]byte(m.read(t, filepath.Join(m.unpack(t, "claimbridge_v0.2.0_image.tar"), "index.json"))),
			&index))
	want := "ghcr.io/claimbridge/claimbridge:v0.2.0@" + index.Manifests[0].Digest
	for _, certificates := range []string{"self", "cert-manager", "files"} {
		text := m.read(t, "claimbridge_v0.2.0_install-"+certificates+".yaml")
		if images := image.FindAllStringSubmatch(text, -1); len(images) != 1 || images[0][1] != want {
			t.Errorf("%s: images %q, want %s", certificates, images, want)
		}
	}
}

// monitoring checks the objects for Prometheus and Grafana.
func (m builtRelease) monitoring(t *testing.T) {
	for name, kind := range map[string]string{"alerts": "PrometheusRule", "dashboard": "ConfigMap"} {
		var object struct{ Kind string }
		err := yaml.Unmarshal([]byte(m.read(t, "claimbridge_v0.2.0_"+name+".yaml")), &object)
		if err != nil || object.Kind != kind {
			t.Errorf("%s is a %q, want a %s: %v", name, object.Kind, kind, err)
		}
	}
}

func (m builtRelease) plugin(t *testing.T) {
	p := pluginOf(t, []byte(m.read(t, "claims.yaml")))
	if len(p.Spec.Platforms) != 1 || p.Spec.Version != "v0.2.0" {
		t.Fatalf("%+v", p)
	}
	platform := p.Spec.Platforms[0]
	if platform.SHA256 != m.sum(t, m.name) || platform.URI != repository+"/releases/download/v0.2.0/"+m.name {
		t.Errorf("%+v", platform)
	}
	k := newKrew(t)
	k.validate(t, filepath.Join(m.folder, "claims.yaml"))
	_, link := k.install(t, filepath.Join(m.folder, "claims.yaml"), filepath.Join(m.folder, m.name),
		runtime.GOOS+"/"+runtime.GOARCH)
	if got := m.runs(t, link, "--help"); !strings.Contains(got, "kubectl claims [command]") {
		t.Error(got)
	}
}

func (m builtRelease) chart(t *testing.T) {
	folder := filepath.Join(m.unpack(t, "claimbridge-0.2.0.tgz"), "claimbridge")
	text := m.read(t, filepath.Join(folder, "Chart.yaml"))
	if !strings.Contains(text, "\nversion: 0.2.0\n") || !strings.Contains(text, "\nappVersion: v0.2.0\n") {
		t.Error(text)
	}
	var values struct {
		Image struct{ Repository, Tag, Digest string }
	}
	mustDo(t, yaml.Unmarshal([]byte(m.read(t, filepath.Join(folder, "values.yaml"))), &values))
	i := values.Image
	if !strings.Contains(m.read(t, "notes.md"), i.Repository+":v0.2.0@"+i.Digest+"\n") || i.Digest == "" {
		t.Errorf("%+v", i)
	}
}
