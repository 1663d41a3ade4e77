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

// calledAs makes a command line speak of itself by the name that it was called by.
func calledAs(root *cobra.Command, args []string) {
	switch strings.TrimSuffix(filepath.Base(args[0]), ".exe") {
	case pluginName:
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: pluginCommand}
		root.SetErr(plugin{os.Stderr})
		speakAsPlugin(root)
		if explain, _, err := root.Find([]string{"explain"}); err == nil {
			explain.SetOut(plugin{os.Stdout})
		}
	case functionName:
		root.SetArgs(append([]string{"fn"}, args[1:]...))
	}
}

const pluginCommand = "kubectl claims"

// commandLine begins one in a text.
var commandLine = regexp.MustCompile(`\bclaimbridge (convert|explain|fn|help|manifests|migrate|preflight|proxy|rules|serve|validate|version)\b`)

// asPlugin writes command lines in a text as kubectl's users type them.
func asPlugin(text string) string { return commandLine.ReplaceAllString(text, pluginCommand+" $1") }

// plugin is a stream of one that has what the program says, and nothing that it has read.
type plugin struct{ *os.File }

func (p plugin) Write(text []byte) (int, error) {
	_, err := p.WriteString(asPlugin(string(text)))
	return len(text), err
}

func speakAsPlugin(c *cobra.Command) {
	c.Long = asPlugin(c.Long)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = asPlugin(f.Usage) })
	for _, below := range c.Commands() {
		speakAsPlugin(below)
	}
}
