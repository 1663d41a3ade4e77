package test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestInstallBuildsOnlyUserPrograms checks that "go install ./...", which pre-commit runs for its hooks, builds no
// program for tests or development: go.mod has to ignore each of them.
func TestInstallBuildsOnlyUserPrograms(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`,
		"./...")
	list.Dir = ".."
	output, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	want := importPaths("cmd/claimbridge", "cmd/claimbridge-proxy")
	if got := strings.Fields(string(output)); !slices.Equal(got, want) {
		t.Errorf("go install ./... builds %v, want %v; add the others to the ignore block of go.mod", got, want)
	}
}

// TestIgnoredFoldersContainPrograms checks that go.mod ignores nothing but programs: "go test ./..." leaves them out.
func TestIgnoredFoldersContainPrograms(t *testing.T) {
	folders := ignoredFolders(t)
	arguments := []string{"list", "-f", `{{if ne .Name "main"}}{{.ImportPath}}{{end}}`}
	list := exec.CommandContext(t.Context(), "go", append(arguments, folders...)...)
	list.Dir = ".."
	output, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, output)
	}
	if libraries := strings.Fields(string(output)); len(libraries) > 0 {
		t.Errorf("go.mod ignores packages that are not programs: %v", libraries)
	}
}

// ignoredFolders returns the folders of the ignore block of go.mod, as it names them: ./test/tour.
func ignoredFolders(t *testing.T) []string {
	t.Helper()
	return must.Get(readIgnoredFolders())(t)
}

var readIgnoredFolders = sync.OnceValues(func() ([]string, error) {
	edit := exec.Command("go", "mod", "edit", "-json")
	edit.Dir = ".."
	output, err := edit.Output()
	if err != nil {
		return nil, err
	}
	var file struct{ Ignore []struct{ Path string } }
	if err := json.Unmarshal(output, &file); err != nil {
		return nil, err
	}
	var folders []string
	for _, entry := range file.Ignore {
		folders = append(folders, entry.Path)
	}
	return folders, nil
})

// TestNodeChecksThePrerequisitesFirst checks that make node runs a small program that checks the machine, before it
// builds programs for minutes.
func TestNodeChecksThePrerequisitesFirst(t *testing.T) {
	dryRun := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory", "-n", "node")
	plan, err := dryRun.CombinedOutput()
	if err != nil {
		t.Fatalf("make -n node: %v\n%s", err, plan)
	}
	first, _, _ := strings.Cut(string(plan), "\n")
	if first != "go run ./test/node/check" {
		t.Errorf("make node runs %q first, want the check", first)
	}
	for _, imported := range modulesOf(t, module+"/test/node/check") {
		if imported == "k8s.io/client-go" || imported == "k8s.io/api" {
			t.Errorf("the check imports %s, which takes minutes to compile", imported)
		}
	}
}
