//go:build e2e

package module

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	mainModule   = "github.com/claimbridge/claimbridge"
	bridgeModule = mainModule + "/bridge"
	root         = "../../.."
)

// TestInstall checks that `go install` installs the commands in a version if both modules are tagged as in
// docs/releases.md: go.mod in the tagged commit has no replacement. A folder of module archives is used instead of
// tags.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the commands from module archives")
	}
	const version = "v0.2.0"
	proxy := t.TempDir()
	goMod := must.Get(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	publish(t, proxy, mainModule, version, root, []byte(withoutReplacement(t, string(goMod))))
	bridgeGoMod := must.Get(os.ReadFile(filepath.Join(bridgeFolder, "go.mod")))(t)
	publish(t, proxy, bridgeModule, version, bridgeFolder, bridgeGoMod)

	// The user's module cache has all other modules.
	downloads := filepath.Join(goCommand(t, ".", "env", "GOMODCACHE"), "cache", "download")
	proxies := "file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(downloads) + "," +
		goCommand(t, ".", "env", "GOPROXY")
	programs := t.TempDir()
	for _, program := range []string{"claimbridge", "claimbridge-proxy"} {
		install := exec.CommandContext(t.Context(), "go", "install", mainModule+"/cmd/"+program+"@"+version)
		install.Dir = t.TempDir()
		install.Env = append(os.Environ(), "GOBIN="+programs, "GOMODCACHE="+filepath.Join(proxy, "cache"),
			"GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0", "GOSUMDB=off", "GOWORK=off", "GOPROXY="+proxies)
		if output, err := install.CombinedOutput(); err != nil {
			t.Fatalf("go install %s: %v\n%s", program, err, output)
		}
	}
	output := must.Get(exec.CommandContext(t.Context(), filepath.Join(programs, "claimbridge"), "version").Output())(t)
	if !strings.Contains(string(output), version) {
		t.Errorf("version of the installed program: got %s, want %s", output, version)
	}
}

// withoutReplacement returns go.mod as in a tagged commit: without the replacement of the bridge.
func withoutReplacement(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "go.mod")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	goCommand(t, filepath.Dir(file), "mod", "edit", "-dropreplace="+bridgeModule)
	edited := string(must.Get(os.ReadFile(file))(t))
	if strings.Contains(edited, "replace") {
		t.Errorf("go.mod has a replacement of another module, which go install rejects:\n%s", edited)
	}
	return edited
}

// publish writes the files that a module proxy serves for a version of a module. Its archive has the files in Git,
// except those of nested modules.
func publish(t *testing.T, proxy, module, version, folder string, goMod []byte) {
	t.Helper()
	versions := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	must.Do(t, os.MkdirAll(versions, 0o755))
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, file := range moduleFiles(t, folder) {
		content := must.Get(os.ReadFile(filepath.Join(folder, file)))(t)
		if file == "go.mod" {
			content = goMod
		}
		entry := must.Get(w.Create(fmt.Sprintf("%s@%s/%s", module, version, file)))(t)
		must.Get(entry.Write(content))(t)
	}
	must.Do(t, w.Close())
	for name, content := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".zip": archive.Bytes(), version + ".mod": goMod,
		version + ".info": []byte(`{"Version":"` + version + `"}`),
	} {
		must.Do(t, os.WriteFile(filepath.Join(versions, name), content, 0o644))
	}
}

// moduleFiles returns the files of a module that Git tracks or does not ignore, without those of nested modules.
func moduleFiles(t *testing.T, folder string) (files []string) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = folder
	candidates := strings.Fields(string(must.Get(list.Output())(t)))
	var nestedModules []string
	for _, file := range candidates {
		if filepath.Base(file) == "go.mod" && file != "go.mod" {
			nestedModules = append(nestedModules, filepath.ToSlash(filepath.Dir(file))+"/")
		}
	}
	for _, file := range candidates {
		isNested := slices.ContainsFunc(nestedModules, func(prefix string) bool { return strings.HasPrefix(file, prefix) })
		info, err := os.Stat(filepath.Join(folder, file))
		if err == nil && info.Mode().IsRegular() && !isNested {
			files = append(files, file)
		}
	}
	return files
}
