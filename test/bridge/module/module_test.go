//go:build e2e

package module

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bridgeFolder is the module, from this folder.
const bridgeFolder = "../../../bridge"

// TestModule: the bridge builds, and its tests pass, with the client-go that it requires, which is 0.31, and with later
// ones. A module file NAME.mod in this folder requires another client-go.
func TestModule(t *testing.T) {
	for name, flags := range map[string][]string{
		"0.31": nil, "0.34": {"-modfile=" + moduleFile(t, "v0.34.mod")}, "0.37": {"-modfile=" + moduleFile(t, "v0.37.mod")},
	} {
		t.Run(name, func(t *testing.T) {
			if flags == nil {
				useOldGo(t)
			}
			version := goCommand(t, bridgeFolder, append([]string{"list", "-m"}, append(flags, "k8s.io/client-go")...)...)
			if !strings.HasPrefix(version, "k8s.io/client-go v"+name+".") {
				t.Errorf("the module file of %s requires %s", name, version)
			}
			goCommand(t, bridgeFolder, append(append([]string{"vet"}, flags...), "./...")...)
			goCommand(t, bridgeFolder, append(append([]string{"test", "-vet=off"}, flags...), "./...")...)
		})
	}
}

// TestNewest: the newest of these versions is the one of the commands, which the main module requires.
func TestNewest(t *testing.T) {
	newest := goCommand(t, bridgeFolder, "list", "-m", "-modfile="+moduleFile(t, "v0.37.mod"), "k8s.io/client-go")
	if used := goCommand(t, ".", "list", "-m", "k8s.io/client-go"); used != newest {
		t.Errorf("the main module requires %s, and the tests of the bridge have %s as the newest", used, newest)
	}
}

// TestOldDriver: a driver that is built with kubeletplugin of Kubernetes 1.32 compiles with the bridge, which does not
// upgrade its modules.
func TestOldDriver(t *testing.T) {
	goCommand(t, "driver", "vet", "./...")
	goCommand(t, "driver", "build", "-o", filepath.Join(t.TempDir(), "driver"), ".")
	for _, module := range []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/dynamic-resource-allocation"} {
		if version := goCommand(t, "driver", "list", "-m", module); !strings.HasPrefix(version, module+" v0.32.") {
			t.Errorf("the driver is built with %s", version)
		}
	}
}

// useOldGo runs the following commands with the oldest release of Go, if it can be downloaded. A newer release checks
// only the language version of the module.
func useOldGo(t *testing.T) {
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

func moduleFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

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
