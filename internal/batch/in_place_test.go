package batch

import (
	"bytes"
	stdcmp "cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// inDir writes files to a temporary directory, and makes it the working directory.
func inDir(t *testing.T, all map[string]string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range all {
		name = filepath.Join(top, name)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	t.Chdir(top)
}

type outcome struct{ Failed, Changed bool }

func convertFiles(t *testing.T, f FileOptions, atomic bool, names ...string) (out, messages string, result outcome) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	o := Options{
		Options: migrate.Options{To: release.Target{Version: "v1"}, Groups: claims.Groups{api.Group}, Validate: true},
		Atomic:  atomic,
	}
	in := input.Input{
		Files: names, Recursive: true, IncludeOtherFiles: f.OutputDir != "",
		SearchWords: []string{api.Group, "resourceClaims"},
		PipeCommand: "claimbridge convert",
	}
	failed, changed, err := Files(t.Context(), in, o, f, strings.NewReader(""), &stdout, &stderr)
	must.Do(t, err)
	return stdout.String(), stderr.String(), outcome{failed, changed}
}

const someClaim = "apiVersion: resource.k8s.io/v1beta2 # x\nkind: ResourceClaim\nmetadata: {name: a}\n"

func TestOnlyNecessaryBytesChange(t *testing.T) {
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	several := windows("# head\n---\n" + someClaim + "---\n# b\napiVersion: v1\nkind: Pod\n...\n# tail")
	head := "apiVersion: resource.k8s.io/v1beta2\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n    " +
		"requests:\n"
	tests := map[string]struct{ text, want string }{ // if want is empty, only the version changes
		"a byte order mark":      {"\xef\xbb\xbf" + someClaim, ""},
		"line ends of Windows":   {several, ""},
		"both":                   {"\xef\xbb\xbf" + several, ""},
		"no line end at the end": {strings.TrimSuffix(someClaim, "\n"), ""},
		"empty documents":        {"---\n---\n" + someClaim + "---\n# nothing\n---\n", ""},
		"JSON on one line": {
			`{"kind":"ResourceClaim",   "apiVersion":"resource.k8s.io/v1beta2","metadata":{"name":"a"}}`,
			"",
		},
		"JSON and YAML, and a tail": {
			`{"apiVersion":"resource.k8s.io/v1beta2","kind":"ResourceClaim","metadata":{}} ` + "\n \n---\n" +
				someClaim + "...\n\n\n",
			"",
		},
		"a separator with a document": {
			"--- {apiVersion: resource.k8s.io/v1beta2, kind: ResourceClaim, metadata: {name: a}} # y\n",
			"",
		},
		"a moved last line without a line ending": {
			windows(strings.Replace(head, "v1beta2", "v1beta1",
				1) + "    - deviceClassName: x\n      name: r\n      count: 2"),
			windows(strings.Replace(head, "v1beta2", "v1",
				1) + "    - exactly:\n        deviceClassName: x\n        count: 2\n      name: r"),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inDir(t, map[string]string{"a.yaml": test.text})
			_, messages, result := convertFiles(t, FileOptions{Write: true}, false, "a.yaml")
			if result != (outcome{Changed: true}) {
				t.Fatalf("%+v, %s", result, messages)
			}
			got := must.Get(os.ReadFile("a.yaml"))(t)
			diff := cmp.Diff(stdcmp.Or(test.want, strings.ReplaceAll(test.text, "v1beta2", "v1")), string(got))
			if diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestManyFiles converts 2,000 files, of which some have errors. The findings are in the order of the input. With
// --atomic, no file changes.
func TestManyFiles(t *testing.T) {
	all := map[string]string{}
	var names []string
	for i := range 2000 {
		name := filepath.Join(fmt.Sprintf("d%02d", i/100), fmt.Sprintf("%04d.yaml", i))
		names = append(names, name)
		all[name] = strings.Replace(someClaim, "name: a", fmt.Sprintf("name: a%d", i), 1)
		if i%500 == 7 {
			all[name] += "spec: {wrong: 1}\n"
		}
	}
	inDir(t, all)
	begin := time.Now()
	_, messages, outcome := convertFiles(t, FileOptions{Write: true}, true, ".")
	if !outcome.Failed || outcome.Changed ||
		!strings.HasSuffix(messages,
			"\nconverted 0 of 2000 DRA objects in 0 of 2000 files; 4 need manual changes; 0 files skipped\n") {
		t.Fatalf("%+v, %s", outcome, messages)
	}
	for name, text := range all {
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Fatalf("%s: %q, %v", name, got, err)
		}
	}
	if remaining, _ := filepath.Glob("*/.claimbridge-*"); len(remaining) > 0 {
		t.Errorf("%q remain", remaining)
	}
	out, messages, outcome := convertFiles(t, FileOptions{Write: true, List: true}, false, ".")
	if !outcome.Failed || !outcome.Changed ||
		!strings.HasSuffix(messages,
			"\nconverted 1996 of 2000 DRA objects in 1996 of 2000 files; 4 need manual changes; 0 files skipped\n") {
		t.Fatalf("%+v, %s", outcome, messages)
	}
	t.Log("both took", time.Since(begin))
	var want []string
	for i, name := range names {
		if i%500 != 7 {
			want = append(want, name)
		}
	}
	if diff := cmp.Diff(want, strings.Fields(out)); diff != "" {
		t.Error(diff)
	}
	for _, name := range want {
		text, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(text), "apiVersion: resource.k8s.io/v1 # x\n") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if remaining, _ := filepath.Glob("*/.claimbridge-*"); len(remaining) > 0 {
		t.Errorf("%q remain", remaining)
	}
	got := regexp.MustCompile(`(?m)^d\d\d/(\d+).yaml: document`).FindAllStringSubmatch(filepath.ToSlash(messages), -1)
	if len(got) != 4 || got[0][1] != "0007" || got[3][1] != "1507" {
		t.Errorf("%q", got)
	}
}

func TestFailedReplacementRestoresOtherFiles(t *testing.T) {
	inDir(t, map[string]string{"a.yaml": someClaim, "b.yaml": someClaim})
	var stderr bytes.Buffer
	o := Options{Options: migrate.Options{To: release.Target{Version: "v1"}, Groups: claims.Groups{api.Group}}}
	o.Atomic = true
	must.Do(t, os.MkdirAll("out/b.yaml/x", 0o700)) // even root cannot replace a directory with a file
	in := input.Input{Files: []string{"."}, Recursive: true, IncludeOtherFiles: true, SkipDir: "out"}
	failed, _, err := Files(t.Context(), in, o,
		FileOptions{OutputDir: "out"}, strings.NewReader(""), &stderr, &stderr)
	if err != nil || !failed {
		t.Errorf("%v, %v", failed, err)
	}
	if _, err := os.Stat("out/a.yaml"); !os.IsNotExist(err) {
		t.Errorf("out/a.yaml exists: %v", err)
	}
}

// TestTemplatesOfAChartAreNotEdited converts chart templates. With braces in quotes, a template is valid YAML, but what
// it renders is not known.
func TestTemplatesOfAChartAreNotEdited(t *testing.T) {
	named := strings.Replace(someClaim, "{name: a}", `{name: "{{ .Release.Name }}"}`, 1)
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: '{{ .Release.Name }}'}\nspec: {containers: [], " +
		"resourceClaims: [{name: a, source: {resourceClaimName: a}}]}\n"
	for name, test := range map[string]struct {
		file, text string
		isRejected bool
	}{
		"a claim in a chart":         {"chart/templates/a.yaml", named, true},
		"a claim in a chart, deeper": {"chart/templates/more/a.yaml", named, true},
		"a claim that is right": {
			"chart/templates/a.yaml",
			strings.Replace(named, "v1beta2", "v1", 1),
			false,
		},
		"a pod in a chart": {"chart/templates/a.yaml", pod, true},
		"a pod that is right": {
			"chart/templates/a.yaml",
			strings.Replace(pod, "source: {resourceClaimName: a}", "resourceClaimName: a", 1),
			false,
		},
		"something else": {
			"chart/templates/a.yaml",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\n",
			false,
		},
		"a templates directory outside of a chart":  {"templates/a.yaml", named, false},
		"a claim without braces":                    {"chart/templates/a.yaml", someClaim, false},
		"a claim of the chart that is not rendered": {"chart/crds/a.yaml", named, false},
	} {
		t.Run(name, func(t *testing.T) {
			inDir(t, map[string]string{"chart/Chart.yaml": "name: chart\n", test.file: test.text})
			_, messages, outcome := convertFiles(t, FileOptions{Write: true}, false, ".")
			if outcome.Failed != test.isRejected {
				t.Errorf("%+v: %s", outcome, messages)
			}
			text, err := os.ReadFile(test.file)
			isChanged := string(text) != test.text
			if err != nil || isChanged && test.isRejected {
				t.Errorf("the file is changed: %s, %v", text, err)
			}
			isRejected := strings.Contains(messages,
				"a template is not edited, change it by hand, and check what it renders: helm template CHART | "+
					"claimbridge convert")
			if isRejected != test.isRejected {
				t.Error(messages)
			}
		})
	}
}

func TestEachNameIsOneLineOfTheList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such names")
	}
	inDir(t, map[string]string{"d/a\n::error::forged.yaml": someClaim})
	want := `"d/a\n::error::forged.yaml"` + "\n"
	if out, _, _ := convertFiles(t, FileOptions{List: true}, false, "d"); out != want {
		t.Errorf("%q, want %q", out, want)
	}
}

// TestAFileOfErrorsIsSearchedOnce checks that the text of a file is searched once, and not again for each document that
// cannot be read.
func TestAFileOfErrorsIsSearchedOnce(t *testing.T) {
	const documents = 8000
	inDir(t, map[string]string{"a.yaml": strings.Repeat("a: [\n---\n", documents) + "# " + api.Group + "/v1beta1\n"})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, messages, outcome := convertFiles(t, FileOptions{}, false, "a.yaml")
	if outcome.Failed || !strings.Contains(messages, "1 file skipped") {
		t.Fatalf("%+v, %s", outcome, messages)
	}
	runtime.ReadMemStats(&after)
	// Searching the whole text for each document would allocate 8,000 times 80 KiB. The limit is generous, because with
	// the race detector a sync.Pool drops values at random.
	if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 400 {
		t.Errorf("%d MiB were allocated", allocated)
	}
}

func TestAnErrorNamesTheHandleAsItsVersionDoes(t *testing.T) {
	head := "apiVersion: resource.k8s.io/VERSION\nkind: ResourceClaim\nmetadata: {name: a}\nspec: " +
		"{resourceClassName: c}\nstatus:\n  driverName: d\n  allocation:\n    "
	for version, handle := range map[string]struct{ field, value string }{
		"v1alpha1": {"resourceHandle", "x"},
		"v1alpha2": {"resourceHandles", "[{driverName: d, data: x}]"},
	} {
		text := strings.Replace(head, "VERSION", version, 1) + handle.field + ": " + handle.value + "\n"
		inDir(t, map[string]string{"a.yaml": text})
		_, messages, _ := convertFiles(t, FileOptions{Write: true}, false, "a.yaml")
		if !strings.Contains(messages, "status.allocation."+handle.field+": v1 has no field for it") {
			t.Errorf("%s: %s", version, messages)
		}
	}
}
