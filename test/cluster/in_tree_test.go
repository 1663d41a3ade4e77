//go:build e2e

package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

// Manifests that people published, of every version, are what kubectl applies to the built-in v1 when they have been converted
// to it, and what it stores is what they say.
func TestConvertedManifestsForTheBuiltInGroup(t *testing.T) {
	t.Parallel()
	program := built.Claimbridge(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "conversion", "testdata", "corpus", "*.yaml"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of the corpus: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			in := *ownGroup
			in.group = "resource.k8s.io" // which the API server serves itself
			s := in.space(t)
			var manifests bytes.Buffer
			all := converted(t, program, file)
			for i, o := range all {
				o.SetName(fmt.Sprintf("claim-%d", i)) // some files have a name in several namespaces, or one for a template of text
				o.SetNamespace("")
				text, err := o.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				manifests.Write(text)
			}
			if len(all) == 0 {
				t.Fatal("there is no claim in it")
			}
			shell.New(t, s.kubeconfig(t)).Kubectl(t, manifests.Bytes(), "apply", "--validate=strict", "-f", "-")
			for _, o := range all {
				stored := s.get(t, "v1", o.GetKind(), o.GetName())
				if missing := absent("spec", o.Object["spec"], stored.Object["spec"]); missing != "" {
					t.Errorf("%s %s: %s", o.GetKind(), o.GetName(), missing)
				}
			}
		})
	}
}

// converted claims and templates of a file.
func converted(t *testing.T, program, file string) (all []*object) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "convert", "--to", "v1", "-o", "json", "-f", file)
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	// Some of what people published has fields of another version. It is named, and not written.
	wrong := map[string]bool{}
	for line := range strings.Lines(problems.String()) {
		if document, _, is := strings.Cut(line, " (line "); is && strings.Contains(line, ": is a field of ") {
			wrong[document] = true
		}
	}
	if said := fmt.Sprintf(" %d failed, ", len(wrong)); (err != nil) != (len(wrong) > 0) || !strings.Contains(problems.String(), said) {
		t.Fatalf("%v: %v\n%s", command, err, problems.String())
	}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		o := &object{}
		if err := decoder.Decode(&o.Object); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if plurals[o.GetKind()] != "" {
			all = append(all, o)
		}
	}
}

// absent is what one value has and another has not, beside what an API server adds.
func absent(path string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for name, value := range want {
			if missing := absent(path+"."+name, value, have[name]); missing != "" {
				return missing
			}
		}
		return ""
	case []any:
		have, _ := got.([]any)
		if len(have) != len(want) {
			return fmt.Sprintf("%s: %d items, not %d", path, len(have), len(want))
		}
		for i := range want {
			if missing := absent(fmt.Sprintf("%s[%d]", path, i), want[i], have[i]); missing != "" {
				return missing
			}
		}
		return ""
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Sprintf("%s is %v, not %v", path, got, want)
	}
	return ""
}
