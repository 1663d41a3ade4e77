// Package requirements checks the requirements of package node on a machine: tools, permissions, and programs that are
// built once. It has few imports, so that a program that only checks a machine is built within seconds.
package requirements

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Check returns nil if a cluster can run here. Otherwise the error lists what is missing, with remedies.
func Check() error { return newError(missing()) }

func newError(missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("a cluster cannot run here: %s", strings.Join(missing, "; "))
}

// missing returns what is missing to run a cluster, each with the remedy.
func missing() []string {
	if runtime.GOOS != "linux" {
		return []string{"Linux: this is " + runtime.GOOS}
	}
	var problems []string
	if os.Geteuid() != 0 {
		problems = append(problems, "root: run it with sudo")
	}
	for _, tool := range []struct{ name, pkg string }{
		{"ip", "iproute2"},
		{"nft", "nftables"},
		{"nsenter", "util-linux"},
		{"unshare", "util-linux"},
		{"mount", "mount"},
		{"bash", "bash"},
	} {
		if !hasProgram(tool.name) {
			problems = append(problems, tool.name+": apt-get install "+tool.pkg)
		}
	}
	if ok, err := areBuilt(context.Background()); err == nil && !ok { // runc has C code
		if !hasProgram("gcc") {
			problems = append(problems, "gcc: apt-get install gcc libc6-dev")
		}
		if exec.Command("pkg-config", "--exists", "libseccomp").Run() != nil {
			problems = append(problems, "libseccomp: apt-get install pkg-config libseccomp-dev")
		}
	}
	return append(problems, missingFromKernel()...)
}

// hasProgram reports whether a program is in PATH or in a folder for programs of administrators.
func hasProgram(name string) bool {
	for _, folder := range []string{"", "/usr/sbin/", "/sbin/"} {
		if _, err := exec.LookPath(folder + name); err == nil {
			return true
		}
	}
	return false
}
