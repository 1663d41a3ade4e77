package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// claimbridge runs the command line in this process.
func claimbridge(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	code = run(root)
	return out.String(), errs.String(), code
}

// Published manifests: of the versions that conversion knows, and of later ones.
const (
	corpus      = "../../conversion/testdata/corpus"
	laterCorpus = "testdata/corpus"
)

// corpusFaults are the objects of the corpus that are faulty as they were published: upstream moved them to v1alpha3
// without moving their fields, and changed v1alpha3 itself after 1.31.
var corpusFaults = map[string][]string{
	"kubernetes_kubernetes-v1alpha3.yaml": {
		"ResourceClaim external-claim", "ResourceClaim shared-claim",
		"ResourceClaimTemplate default/pause-template", "ResourceClaimTemplate default/test-inline-claim-template",
	},
}

// Real manifests go through all versions and come back as they were; YAML and JSON give the same.
func TestTheCorpusComesBackAsItWas(t *testing.T) {
	for _, from := range conversion.Versions() {
		files, err := filepath.Glob(corpus + "/*-" + from + ".yaml")
		if err != nil || len(files) == 0 {
			t.Fatalf("no corpus for %s: %v", from, err)
		}
		for _, file := range files {
			for _, to := range conversion.Versions() {
				for _, format := range []string{"yaml", "json"} {
					t.Run(filepath.Base(file)+" to "+to+" in "+format, func(t *testing.T) { thereAndBack(t, file, from, to, format) })
				}
			}
		}
	}
}

func thereAndBack(t *testing.T, file, from, to, format string) {
	faults := corpusFaults[filepath.Base(file)]
	wantCode := 0
	if len(faults) > 0 {
		wantCode = exitFailed
	}
	was, told, code := claimbridge(t, "", "convert", "--to", from, "-o", "json", "-f", file)
	if code != wantCode {
		t.Fatalf("exit code %d, want %d: %s", code, wantCode, told)
	}
	for _, fault := range faults {
		if !strings.Contains(told, fault+": ") {
			t.Errorf("%s is not told in %s", fault, told)
		}
	}
	there, told, code := claimbridge(t, "", "convert", "--to", to, "-o", format, "-f", file)
	if code != wantCode {
		t.Fatalf("there: exit code %d, want %d: %s", code, wantCode, told)
	}
	back, told, code := claimbridge(t, there, "convert", "--to", from, "-o", "json")
	if code != 0 || !strings.HasSuffix(told, " of other kinds, 0 failed, 0 warnings\n") || strings.Count(told, "\n") != 1 {
		t.Fatalf("back: exit code %d: %s", code, told)
	}
	wants, gots := lines(was), lines(back)
	if len(wants) < 5 || len(wants) != len(gots) {
		t.Fatalf("%d objects came back of %d", len(gots), len(wants))
	}
	for i, want := range wants {
		if got := gots[i]; !conversion.Equal(defaulted(t, want, from), []byte(got)) && from != to || from == to && got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// defaulted is an object with the defaults that the API server of its version sets and conversion with it.
func defaulted(t *testing.T, object, version string) []byte {
	t.Helper()
	var o map[string]any
	decoder := json.NewDecoder(strings.NewReader(object))
	decoder.UseNumber()
	if err := decoder.Decode(&o); err != nil {
		t.Fatal(err)
	}
	spec, _ := o["spec"].(map[string]any)
	if o["kind"] == api.KindTemplate {
		spec, _ = spec["spec"].(map[string]any)
	}
	setDefault := func(in map[string]any, key string, value any) {
		if _, set := in[key]; !set {
			in[key] = value
		}
	}
	if version != "v1alpha3" {
		setDefault(spec, "allocationMode", "WaitForFirstConsumer")
	} else if devices, ok := spec["devices"].(map[string]any); ok {
		requests, _ := devices["requests"].([]any)
		for _, r := range requests {
			request := r.(map[string]any)
			setDefault(request, "allocationMode", "ExactCount")
			if request["allocationMode"] == "ExactCount" {
				setDefault(request, "count", 1)
			}
		}
	}
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Claims of versions that came later are refused, with the release that they came with.
func TestTheCorpusOfLaterVersionsIsRefused(t *testing.T) {
	for version, release := range map[string]string{"v1beta1": "1.32", "v1": "1.34"} {
		out, told, code := claimbridge(t, "", "convert", "--to", "v1alpha3", "-f", laterCorpus+"/NVIDIA_k8s-dra-driver-gpu-"+version+".yaml")
		if code != exitFailed || out != "" {
			t.Errorf("%s: exit code %d, %d bytes written", version, code, len(out))
		}
		want := `: apiVersion: unknown version "` + version + `": it came with Kubernetes ` + release + `, and claimbridge does not go beyond v1alpha3 of 1.31 yet`
		for _, line := range lines(told) {
			if !strings.HasSuffix(line, want) && !strings.HasPrefix(line, "error: ") && !strings.HasPrefix(line, "0 converted to v1alpha3, ") {
				t.Errorf("%s: %s", version, line)
			}
		}
	}
}

// Folders, lists and templates with placeholders: whole folders at once, relaxed, up and down.
func TestWholeFoldersAtOnce(t *testing.T) {
	up, _, code := claimbridge(t, "", "convert", "--to", "v1alpha3", "-f", corpus, "-f", laterCorpus, "-o", "json")
	if code != exitFailed {
		t.Errorf("exit code %d, want %d: later versions are in the folder", code, exitFailed)
	}
	down, told, code := claimbridge(t, up, "convert", "--to", "v1alpha1", "-o", "yaml")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, told)
	}
	again, told, code := claimbridge(t, down, "convert", "--to", "v1alpha3", "-o", "json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, told)
	}
	if !strings.Contains(up, "test-claim-{{.Index}}") {
		t.Error("the template with a placeholder is missing")
	}
	wants, gots := lines(up), lines(again)
	if len(wants) != len(gots) {
		t.Fatalf("%d objects came back of %d", len(gots), len(wants))
	}
	for i, want := range wants {
		if !conversion.Equal(defaulted(t, want, "v1alpha3"), []byte(gots[i])) {
			t.Error(cmp.Diff(want, gots[i]))
		}
	}
}
