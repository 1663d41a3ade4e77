//go:build e2e

package module

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bridgeFolder is the folder of the bridge module, relative to this folder.
const bridgeFolder = "../../../bridge"

// TestModule checks that the bridge builds and its tests pass with the version of client-go that it requires, 0.31, and
// with later versions. A file NAME.mod in this folder requires another version.
func TestModule(t *testing.T) {
	for name, flags := range map[string][]string{
		"0.31": nil, "0.34": {"-modfile=" + moduleFile(t, "v0.34.mod")}, "0.37": {"-modfile=" + moduleFile(t, "v0.37.mod")},
	} {
		t.Run(name, func(t *testing.T) {
			if flags == nil {
				useOldestGo(t)
			}
			version := goCommand(t, bridgeFolder, append([]string{"list", "-m"}, append(flags, "k8s.io/client-go")...)...)
			if !strings.HasPrefix(version, "k8s.io/client-go v"+name+".") {
				t.Errorf("module file of %s: got %s, want k8s.io/client-go v%s.x", name, version, name)
			}
			goCommand(t, bridgeFolder, append(append([]string{"vet"}, flags...), "./...")...)
			goCommand(t, bridgeFolder, append(append([]string{"test", "-vet=off"}, flags...), "./...")...)
		})
	}
}

// TestNewestClientGo checks that the newest tested version of client-go is the version of the commands, which the main
// module requires.
func TestNewestClientGo(t *testing.T) {
	newest := goCommand(t, bridgeFolder, "list", "-m", "-modfile="+moduleFile(t, "v0.37.mod"), "k8s.io/client-go")
	if want := goCommand(t, ".", "list", "-m", "k8s.io/client-go"); newest != want {
		t.Errorf("newest tested version: got %s, want %s as in the main module", newest, want)
	}
}

// TestOldDriver checks that a driver with kubeletplugin of Kubernetes 1.32 compiles with the bridge, and that the
// bridge does not upgrade the modules of Kubernetes.
func TestOldDriver(t *testing.T) {
	goCommand(t, "driver", "vet", "./...")
	goCommand(t, "driver", "build", "-o", filepath.Join(t.TempDir(), "driver"), ".")
	for _, module := range []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/dynamic-resource-allocation"} {
		if version := goCommand(t, "driver", "list", "-m", module); !strings.HasPrefix(version, module+" v0.32.") {
			t.Errorf("module of the driver: got %s, want %s v0.32.x", version, module)
		}
	}
}

// useOldestGo runs the following commands with the oldest supported release of Go, if it can be downloaded. Newer
// releases check only the language version of the module.
func useOldestGo(t *testing.T) {
	t.Helper()
	const oldest = "go1.22.12"
	version := exec.CommandContext(t.Context(), "go", "version")
	version.Env = append(os.Environ(), "GOTOOLCHAIN="+oldest)
	if output, err := version.CombinedOutput(); err != nil {
		t.Logf("%s is not available: %v: %s", oldest, err, output)
		return
	}
	t.Setenv("GOTOOLCHAIN", oldest)
}

// moduleFile returns the absolute path of a module file in this folder.
func moduleFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// goCommand runs a go command in a folder, and returns its output.
func goCommand(t *testing.T, folder string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", arguments...)
	command.Dir = folder
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s in %s: %v\n%s", strings.Join(arguments, " "), folder, err, output)
	}
	return strings.TrimSpace(string(output))
}
