package test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// release of Kubernetes that served a version of the API, and the module file that builds its judge.
type release struct{ version, name, modfile string }

var releases = []release{
	{"v1alpha1", "1.26", "v1.26.mod"},
	{"v1alpha2", "1.30", "v1.30.mod"},
	{"v1alpha3", "1.31", "go.mod"},
}

// TestJudgesBuild builds what is not in the cache yet; make runs it first, as one build takes minutes.
func TestJudgesBuild(t *testing.T) {
	for _, r := range releases {
		r.build(t)
	}
}

// build the judge of a release, or find it in the user's cache: its name is a hash of all that goes into it.
func (r release) build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: the judges compile Kubernetes, which takes minutes the first time")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	judge := filepath.Join(cache, "claimbridge", "judges", r.name+"-"+r.hash(t))
	if runtime.GOOS == "windows" {
		judge += ".exe"
	}
	if _, err := os.Stat(judge); err == nil {
		return judge
	}
	if err := os.MkdirAll(filepath.Dir(judge), 0o755); err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp(filepath.Dir(judge), "building-") //nolint:usetesting // to rename from, so on the same file system
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	started := time.Now()
	fmt.Fprintf(os.Stderr, "building the judge of Kubernetes %s: some minutes the first time, and downloads\n", r.name)
	unfinished := filepath.Join(folder, "judge")
	build := exec.CommandContext(t.Context(), "go", "build", "-modfile="+r.modfile, "-o", unfinished, ".")
	build.Dir = "upstream"
	build.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -mod=readonly", "GOWORK=off")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, output)
	}
	if err := os.Rename(unfinished, judge); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "built the judge of Kubernetes %s in %s\n", r.name, time.Since(started).Round(time.Second))
	return judge
}

// hash of the sources, the module files and the compiler.
func (r release) hash(t *testing.T) string {
	t.Helper()
	version, err := exec.CommandContext(t.Context(), "go", "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	sum.Write(bytes.TrimSpace(version))
	files, err := filepath.Glob(filepath.Join("upstream", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources of the judges: %v", err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	modules := filepath.Join("upstream", r.modfile)
	for _, file := range append(files, modules, strings.TrimSuffix(modules, ".mod")+".sum") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "\n%s %d\n", filepath.Base(file), len(data))
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
