// Command claimbridge converts and validates claims of resource.k8s.io, as a server and on the command line.
package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// calledAs makes a command line speak of itself by the name that it was called by: in help, which is all its own. What is printed of an input
// may quote it, and names the program.
func calledAs(root *cobra.Command, args []string) {
	switch strings.TrimSuffix(filepath.Base(args[0]), ".exe") {
	case pluginName:
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl claims"}
		names := []string{"help"} // which cobra adds
		for _, c := range root.Commands() {
			names = append(names, c.Name())
		}
		speakAsPlugin(root, regexp.MustCompile(`\bclaimbridge (`+strings.Join(names, "|")+`)\b`))
	case functionName:
		root.SetArgs(append([]string{"fn"}, args[1:]...))
	}
}

func speakAsPlugin(c *cobra.Command, commandLine *regexp.Regexp) {
	const asPlugin = "kubectl claims $1"
	c.Long = commandLine.ReplaceAllString(c.Long, asPlugin)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = commandLine.ReplaceAllString(f.Usage, asPlugin) })
	for _, below := range c.Commands() {
		speakAsPlugin(below, commandLine)
	}
}
