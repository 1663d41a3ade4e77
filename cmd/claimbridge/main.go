// Command claimbridge converts and validates claims of resource.k8s.io, as a webhook and on the command line.
package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/terminal"
)

func main() {
	root := newRootCommand()
	root.SetOut(terminal.Writer(os.Stdout))
	root.SetErr(terminal.Writer(os.Stderr))
	setDisplayName(root, os.Args[0])
	os.Exit(run(root))
}

// pluginName is the name of the program as a kubectl plugin, which kubectl runs as `kubectl claims`.
const pluginName = "kubectl-claims"

// setDisplayName sets the name of the program in usage and errors to "kubectl claims" if it runs as the plugin. Help
// texts do not change.
func setDisplayName(root *cobra.Command, program string) {
	if strings.TrimSuffix(filepath.Base(program), ".exe") == pluginName {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl claims"}
	}
}
