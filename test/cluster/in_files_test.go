//go:build e2e

package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

var refused = regexp.MustCompile(`: is a field of | would refuse metadata\.name: `)

var namespaceOf = regexp.MustCompile(`(?m)^  namespace: (\S+)`)

// Manifests that people published, each in a file of its own, are converted where they stand, and the built-in v1 takes every one as it
// stands there then, and would store what it says. What claimbridge refuses is left as it was: what has fields of another version, or a name
// that is a template.
func TestFilesThatWereConvertedAreTakenByTheBuiltInGroup(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	namespaces, written := filesOfTheCorpus(t, folder)
	convert := exec.CommandContext(t.Context(), built.Claimbridge(t), "convert", "--to", "1.36", "--accept-leftovers", "--write", folder)
	told, err := convert.CombinedOutput()
	left := map[string]bool{}
	for line := range strings.Lines(string(told)) {
		if name, _, is := strings.Cut(line, " document 1"); is && refused.MatchString(line) {
			left[strings.TrimSuffix(name, ":")] = true
		}
	}
	if said := fmt.Sprintf("; %d need a person; ", len(left)); (err != nil) != (len(left) > 0) || !strings.Contains(string(told), said) {
		t.Fatalf("%v: %v\n%s", convert, err, told)
	}

	in := *ownGroup
	in.group = "resource.k8s.io" // which the API server serves itself
	s := in.space(t)
	user := shell.New(t, s.kubeconfig(t))
	kubectl := func(args ...string) (string, error) { return user.TryKubectl(t.Context(), nil, args...) }
	for namespace := range namespaces {
		if output, err := kubectl("create", "namespace", namespace); err != nil && !strings.Contains(output, "AlreadyExists") {
			t.Fatal(err)
		}
	}
	create := "kubectl create --dry-run=server --validate=strict -o json >stored.json"
	var said []*object
	for file, was := range written {
		is := must.Get(os.ReadFile(file))(t)
		switch {
		case left[file] && string(is) != was:
			t.Errorf("%s was refused, and is changed", file)
		case !left[file] && !bytes.Contains(is, []byte("\napiVersion: resource.k8s.io/v1\n")):
			t.Errorf("%s is not converted:\n%s", file, is)
		case !left[file]:
			o := &object{}
			must.Do(t, yaml.Unmarshal(is, &o.Object))
			create, said = create+" -f "+file, append(said, o)
		}
	}
	if len(said) < 100 {
		t.Errorf("%d files were converted", len(said))
	}
	user.Run(t, create)
	output := must.Get(os.ReadFile(filepath.Join(user.Home, "stored.json")))(t)
	stored := json.NewDecoder(bytes.NewReader(output))
	for _, o := range said {
		taken := &object{}
		must.Do(t, stored.Decode(&taken.Object))
		if missing := absent("spec", o.Object["spec"], taken.Object["spec"]); missing != "" || taken.GetName() != o.GetName() {
			t.Errorf("%s %s: %s", o.GetKind(), o.GetName(), missing)
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

// filesOfTheCorpus writes each claim and template to a file, and gives their texts, and the namespaces that they name.
func filesOfTheCorpus(t *testing.T, folder string) (namespaces map[string]bool, texts map[string]string) {
	t.Helper()
	namespaces, texts = map[string]bool{}, map[string]string{}
	files, err := filepath.Glob(filepath.Join("..", "..", "conversion", "testdata", "corpus", "*.yaml"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of the corpus: %v", len(files), err)
	}
	for _, file := range files {
		all := must.Get(os.ReadFile(file))(t)
		for i, text := range strings.Split(string(all), "---\n") {
			if !strings.Contains(text, "\nkind: ") {
				continue
			}
			name := filepath.Join(folder, fmt.Sprintf("%s-%d.yaml", strings.TrimSuffix(filepath.Base(file), ".yaml"), i))
			must.Do(t, os.WriteFile(name, []byte(text), 0o600))
			texts[name] = text
			for _, namespace := range namespaceOf.FindAllStringSubmatch(text, -1) {
				namespaces[namespace[1]] = true
			}
		}
	}
	return namespaces, texts
}
