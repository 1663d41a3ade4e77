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
		t.Errorf("go install ./... builds %v, want %v: add other programs to the ignore block of go.mod", got, want)
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
		t.Errorf("go.mod ignores %v, want only programs", libraries)
	}
}

// ignoredFolders returns the folders of the ignore block of go.mod, relative to its folder: ./test/tour.
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
