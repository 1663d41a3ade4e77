//go:build e2e

package install

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
)

const chartFolder = "../../config/charts/claimbridge"

// releases of Helm that people have.
var releases = []string{programs.Helm3, programs.Helm4}

// helm is one of them, for a cluster or none.
type helm struct{ program, home, kubeconfig string }

func newHelm(t *testing.T, release string) helm {
	t.Helper()
	program := programs.Other(t, release)
	return helm{program: program, home: t.TempDir()}
}

func (h helm) try(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	if args[0] == "template" || args[0] == "lint" { // the release that Helm names by itself depends on how it was built
		args = slices.Insert(slices.Clone(args), 1, "--kube-version=1.36.0") // another one in args comes later, and counts
	}
	command := exec.CommandContext(ctx, h.program, args...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	command.Env = append(os.Environ(), "HOME="+h.home, "XDG_CACHE_HOME="+h.home, "XDG_CONFIG_HOME="+h.home, "XDG_DATA_HOME="+h.home, "KUBECONFIG="+h.kubeconfig)
	err = command.Run()
	return out.String(), problems.String(), err
}

// run helm, which must succeed.
func (h helm) run(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := h.try(t.Context(), args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s%s", strings.Join(args, " "), err, stdout, stderr)
	}
	return stdout
}

// shell has this helm by its name.
func (h helm) shell() string {
	return fmt.Sprintf("helm() { HOME=%[1]s XDG_CACHE_HOME=%[1]s XDG_CONFIG_HOME=%[1]s XDG_DATA_HOME=%[1]s %[2]s \"$@\"; }\n", h.home, h.program)
}

// set makes arguments of values.
func set(values map[string]string) (args []string) {
	for name, value := range values {
		if strings.HasPrefix(value, "{") || value == "true" || value == "false" {
			args = append(args, "--set="+name+"="+value)
			continue
		}
		args = append(args, "--set-string="+name+"="+value)
	}
	slices.Sort(args)
	return args
}
