//go:build e2e

package module

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	mainModule   = "github.com/claimbridge/claimbridge"
	bridgeModule = mainModule + "/bridge"
	root         = "../../.."
)

// TestInstall: the commands can be installed by their version once both modules are tagged, as docs/releases.md says:
// the go.mod of the tagged commit has no replacement. A folder of module archives stands in for the tags.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the commands from module archives")
	}
	const version = "v0.2.0"
	proxy := t.TempDir()
	main := must.Get(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	released := withoutReplacement(t, string(main))
	publish(t, proxy, mainModule, version, root, []byte(released))
	publish(t, proxy, bridgeModule, version, bridgeFolder, must.Get(os.ReadFile(filepath.Join(bridgeFolder, "go.mod")))(t))

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
		t.Errorf("the installed program is %s", output)
	}
}

// withoutReplacement returns the go.mod of a tagged commit.
func withoutReplacement(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "go.mod")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	goCommand(t, filepath.Dir(file), "mod", "edit", "-dropreplace="+bridgeModule)
	edited := string(must.Get(os.ReadFile(file))(t))
	if strings.Contains(edited, "replace") {
		t.Errorf("go.mod has another replacement, which go install rejects:\n%s", edited)
	}
	return edited
}

// publish writes the files that a module proxy serves for a version of a module: those in Git, without other modules.
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

// moduleFiles returns the files of a module in Git, and new ones that are not ignored.
func moduleFiles(t *testing.T, folder string) (files []string) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = folder
	all := strings.Fields(string(must.Get(list.Output())(t)))
	others := map[string]bool{}
	for _, file := range all {
		if filepath.Base(file) == "go.mod" && file != "go.mod" {
			others[filepath.ToSlash(filepath.Dir(file))+"/"] = true
		}
	}
	for _, file := range all {
		isOther := false
		for other := range others {
			isOther = isOther || strings.HasPrefix(file, other)
		}
		if info, err := os.Stat(filepath.Join(folder, file)); err == nil && info.Mode().IsRegular() && !isOther {
			files = append(files, file)
		}
	}
	return files
}
