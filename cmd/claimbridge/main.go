// Command claimbridge converts and validates claims of resource.k8s.io, as a server and on the command line.
package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/terminal"
)

func main() {
	root := newRootCommand()
	root.SetOut(terminal.Writer(os.Stdout))
	root.SetErr(terminal.Writer(os.Stderr))
	calledAs(root, os.Args)
	os.Exit(run(root))
}

// pluginName is the name of a link to the program, which kubectl runs as kubectl claims.
const pluginName = "kubectl-claims"

// calledAs makes a command line speak of itself by the name that it was called by: in help, and in what it says there is to do. What is printed of an
// input may quote it, and names the program.
func calledAs(root *cobra.Command, args []string) {
	if strings.TrimSuffix(filepath.Base(args[0]), ".exe") == pluginName {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl claims"}
		speakAsCalled(root)
	}
}

func speakAsCalled(c *cobra.Command) {
	c.Long = asCalled(c, c.Long)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = asCalled(c, f.Usage) })
	for _, below := range c.Commands() {
		speakAsCalled(below)
	}
}

// asCalled is a text of ours, with the commands in it as people run them here.
func asCalled(c *cobra.Command, text string) string {
	var names []string
	for _, known := range c.Root().Commands() {
		names = append(names, known.Name())
	}
	return regexp.MustCompile(`\bclaimbridge (`+strings.Join(names, "|")+`)\b`).ReplaceAllString(text, c.Root().CommandPath()+" $1")
}
