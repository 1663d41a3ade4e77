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
		commands := commandLines(root)
		root.SetErr(plugin{os.Stderr, commands})
		if explain, _, err := root.Find([]string{"explain"}); err == nil {
			explain.SetOut(plugin{os.Stdout, commands})
		}
		speakAsPlugin(root, commands)
	case functionName:
		root.SetArgs(append([]string{"fn"}, args[1:]...))
	}
}

const pluginCommand = "kubectl claims"

// commandLines begin like this in texts.
func commandLines(root *cobra.Command) *regexp.Regexp {
	names := []string{"help"} // which cobra adds
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return regexp.MustCompile(`\bclaimbridge (` + strings.Join(names, "|") + `)\b`)
}

// asPlugin writes command lines in a text as kubectl's users type them.
func asPlugin(text string, commands *regexp.Regexp) string {
	return commands.ReplaceAllString(text, pluginCommand+" $1")
}

// plugin is a stream of one that has what the program says, and nothing that it has read.
type plugin struct {
	*os.File
	commands *regexp.Regexp
}

func (p plugin) Write(text []byte) (int, error) {
	_, err := p.WriteString(asPlugin(string(text), p.commands))
	return len(text), err
}

func speakAsPlugin(c *cobra.Command, commands *regexp.Regexp) {
	c.Long = asPlugin(c.Long, commands)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = asPlugin(f.Usage, commands) })
	for _, below := range c.Commands() {
		speakAsPlugin(below, commands)
	}
}
