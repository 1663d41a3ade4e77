// Command claimbridge converts and validates claims of resource.k8s.io, as a server and on the command line.
package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	root := newRootCommand()
	calledAs(root, os.Args)
	os.Exit(run(root))
}

// Names that the program goes by, as links to it.
const (
	pluginName   = "kubectl-claims" // kubectl runs it as kubectl claims
	functionName = "claimbridge-fn" // kustomize runs it without arguments
)

// calledAs makes a command line speak of itself by the name that it was called by.
func calledAs(root *cobra.Command, args []string) {
	switch strings.TrimSuffix(filepath.Base(args[0]), ".exe") {
	case pluginName:
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl claims"}
		for _, c := range root.Commands() {
			c.Long, c.Example = asPlugin(c.Long), asPlugin(c.Example)
		}
	case functionName:
		root.SetArgs(append([]string{"fn"}, args[1:]...))
	}
}

// asPlugin writes command lines in a text as kubectl's users type them: those that begin a line, and those behind a pipe.
func asPlugin(text string) string {
	return strings.NewReplacer("  claimbridge ", "  kubectl claims ", "| claimbridge ", "| kubectl claims ").Replace(text)
}
