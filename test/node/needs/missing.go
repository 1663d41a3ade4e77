// Package needs checks the requirements of package node on a machine: tools, permissions, and programs that are built
// once. It has few imports, so that a program that only checks a machine is built within seconds.
package needs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Check returns an error that names what is missing, each with the remedy, unless a cluster can run here.
func Check() error { return errorOf(Missing()) }

func errorOf(missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("a cluster cannot run here: %s", strings.Join(missing, "; "))
}

// Missing says why a cluster cannot run here, in words, each with the remedy; empty when it can.
func Missing() []string {
	if runtime.GOOS != "linux" {
		return []string{"Linux: this is " + runtime.GOOS}
	}
	var missing []string
	if os.Geteuid() != 0 {
		missing = append(missing, "root: run it with sudo")
	}
	for _, tool := range []struct{ name, from string }{
		{"ip", "iproute2"},
		{"nft", "nftables"},
		{"nsenter", "util-linux"},
		{"unshare", "util-linux"},
		{"mount", "mount"},
		{"bash", "bash"},
	} {
		if !there(tool.name) {
			missing = append(missing, tool.name+": apt-get install "+tool.from)
		}
	}
	if ok, err := built(context.Background()); err == nil && !ok { // runc is built of C, too
		if !there("gcc") {
			missing = append(missing, "gcc: apt-get install gcc libc6-dev")
		}
		if exec.Command("pkg-config", "--exists", "libseccomp").Run() != nil {
			missing = append(missing, "libseccomp: apt-get install pkg-config libseccomp-dev")
		}
	}
	return append(missing, missingFromKernel()...)
}

// there is a program, in one of the folders where administrators' programs are, too.
func there(name string) bool {
	for _, folder := range []string{"", "/usr/sbin/", "/sbin/"} {
		if _, err := exec.LookPath(folder + name); err == nil {
			return true
		}
	}
	return false
}
