package main

import (
	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/function"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
)

func newFnCommand() *cobra.Command {
	var to string
	c := newCommand("fn", "Convert the claims of a ResourceList, as a function of kustomize and kpt",
		noArgs, func(cmd *cobra.Command) error {
			return function.Run(cmd.Context(), to, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		})
	c.FlagSet("conversion").StringVar(&to, "to", "", "version, or release of Kubernetes like 1.36, for a list whose functionConfig names none: "+oneOf(conversion.Versions()))
	c.takes("to", append(conversion.Versions(), release.Names()...)...)
	return c.whole()
}
