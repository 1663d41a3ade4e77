package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/inject"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/build"
)

func newProxyInjectCommand() *cobra.Command {
	var in inputFlags
	var r inject.Run
	run := func(cmd *cobra.Command) error {
		in.groups, in.Recursive = []string{api.Group}, in.Recursive || r.Write || r.Diff || r.Check
		switch {
		case r.Image == "":
			return usagef("--image must not be empty")
		case r.Port == 0:
			return usagef("--port=0: must be between 1 and 65535")
		case r.Check && r.Write:
			return usagef("--check writes nothing, it does not go with --write")
		}
		if err := in.check(cmd); err != nil {
			return err
		}
		if r.Write && slices.Contains(in.Files, "-") {
			return usagef("--filename: name files or folders, standard input cannot be written to")
		}
		if !r.Remove && !build.Released() && !cmd.Flags().Changed("image") {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: this build is of no release, and the sidecar is %s; --image names another, as one of this build\n", r.Image)
		}
		in.Rendered, r.Stdin, r.Stdout, r.Stderr = cmd.CommandPath(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
		failed, changed, err := r.Do(in.Input)
		return ended(failed, changed && r.Check, err)
	}
	c := newCommand("inject [[-f] FILE|FOLDER|-]...", "Put the proxy as a sidecar into manifests of pods", cobra.ArbitraryArgs, run)
	fs := c.FlagSet("sidecar")
	fs.StringVar(&r.Image, "image", build.Image(config.DefaultImage), "image of the sidecar, best with a digest")
	fs.Uint16Var(&r.Port, "port", 8001, "port of 127.0.0.1 that it serves on, in the pod")
	fs.StringVar(&r.Container, "container", "", "name of the containers that are to use it, and no others. Default: all, init containers too")
	fs.BoolVar(&r.Remove, "remove", false, "take the sidecar out")
	in.addFiles(c)
	fs = c.FlagSet("files")
	fs.BoolVarP(&r.Write, "write", "w", false, "change files where they are. A file with an error is left as it is.")
	fs.BoolVarP(&r.Diff, "diff", "d", false, "print what changes or would, as git apply takes it")
	fs.BoolVar(&r.Check, "check", false, "write nothing, name files that would change, and exit with 3 for one")
	return c.whole()
}
