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

func (r builtRelease) checkManifests(t *testing.T) {
	image := regexp.MustCompile(`(?m)^ +image: (.*)$`)
	var index struct{ Manifests []struct{ Digest string } }
	mustDo(t,
		json.Unmarshal([]byte(r.read(t, filepath.Join(r.unpack(t, "claimbridge_v0.2.0_image.tar"), "index.json"))),
			&index))
	want := "ghcr.io/claimbridge/claimbridge:v0.2.0@" + index.Manifests[0].Digest
	for _, certificates := range []string{"self", "cert-manager", "files"} {
		text := r.read(t, "claimbridge_v0.2.0_install-"+certificates+".yaml")
		if images := image.FindAllStringSubmatch(text, -1); len(images) != 1 || images[0][1] != want {
			t.Errorf("%s: got the images %q, want only %s", certificates, images, want)
		}
	}
}

// checkMonitoring checks the objects for Prometheus and Grafana.
func (r builtRelease) checkMonitoring(t *testing.T) {
	for name, kind := range map[string]string{"alerts": "PrometheusRule", "dashboard": "ConfigMap"} {
		var object struct{ Kind string }
		err := yaml.Unmarshal([]byte(r.read(t, "claimbridge_v0.2.0_"+name+".yaml")), &object)
		if err != nil || object.Kind != kind {
			t.Errorf("kind of %s: got %q and error %v, want %s", name, object.Kind, err, kind)
		}
	}
}

func (r builtRelease) checkPlugin(t *testing.T) {
	p := parsePlugin(t, []byte(r.read(t, "claims.yaml")))
	if len(p.Spec.Platforms) != 1 || p.Spec.Version != "v0.2.0" {
		t.Fatalf("got %+v, want one platform of v0.2.0", p)
	}
	platform := p.Spec.Platforms[0]
	if want := r.sumOf(t, r.archive); platform.SHA256 != want {
		t.Errorf("sum of the archive: got %s, want %s", platform.SHA256, want)
	}
	if want := repository + "/releases/download/v0.2.0/" + r.archive; platform.URI != want {
		t.Errorf("URI of the archive: got %s, want %s", platform.URI, want)
	}
	k := newKrew(t)
	k.validate(t, filepath.Join(r.folder, "claims.yaml"))
	_, link := k.install(t, filepath.Join(r.folder, "claims.yaml"), filepath.Join(r.folder, r.archive),
		runtime.GOOS+"/"+runtime.GOARCH)
	if got, want := r.run(t, link, "--help"), "kubectl claims [command]"; !strings.Contains(got, want) {
		t.Errorf("help: got\n%s\nwant it to contain %q", got, want)
	}
}

func (r builtRelease) checkChart(t *testing.T) {
	folder := filepath.Join(r.unpack(t, "claimbridge-0.2.0.tgz"), "claimbridge")
	text := r.read(t, filepath.Join(folder, "Chart.yaml"))
	for _, want := range []string{"\nversion: 0.2.0\n", "\nappVersion: v0.2.0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("Chart.yaml: got\n%s\nwant it to contain %q", text, want)
		}
	}
	var values struct {
		Image struct{ Repository, Tag, Digest string }
	}
	mustDo(t, yaml.Unmarshal([]byte(r.read(t, filepath.Join(folder, "values.yaml"))), &values))
	image := values.Image
	if image.Digest == "" {
		t.Error("values.yaml has no digest of the image")
	}
	notes := r.read(t, "notes.md")
	if want := image.Repository + ":v0.2.0@" + image.Digest + "\n"; !strings.Contains(notes, want) {
		t.Errorf("the notes do not have the image of values.yaml, %q:\n%s", want, notes)
	}
}
