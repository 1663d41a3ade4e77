// Command claimbridge converts and validates claims of resource.k8s.io, as a server and on the command line.
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

// pluginName is the name of a link to the program, which kubectl runs as kubectl claims.
const pluginName = "kubectl-claims"

// setDisplayName makes usage and errors name the program "kubectl claims" when it runs as the plugin. The texts of help
// do not change.
func setDisplayName(root *cobra.Command, program string) {
	if strings.TrimSuffix(filepath.Base(program), ".exe") == pluginName {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl claims"}
	}
}
