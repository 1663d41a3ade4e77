package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/internal/terminal"
)

// Main runs the command of os.Args and returns the exit code.
func Main() int {
	root := newRootCommand()
	root.SetOut(terminal.Writer(os.Stdout))
	root.SetErr(terminal.MessageWriter(os.Stderr))
	setDisplayName(root, os.Args[0])
	return run(root)
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
