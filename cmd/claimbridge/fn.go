package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/function"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
)

const fnLong = `Convert the claims of a ResourceList, as a function of kustomize and kpt (KRM function).

Reads a ResourceList on standard input and writes it to standard output with its claims converted, and with results: a message
each for what could not be converted or needs a person, with its severity, object, field, file and rule. If an item fails no item
is changed.

What to convert to is said by the functionConfig: spec.to of a ClaimConversion (claimbridge.dev/v1alpha1), or data.to of a
ConfigMap; --to is for a list without one. It is a version, or a release of Kubernetes.

The program does the same without arguments when it is called claimbridge-fn, for runners that pass none.

Exit code: 0 all is converted, 1 something failed, 2 the command line is wrong.`

const fnExample = `  # transformers: [claims.yaml] in kustomization.yaml; build --enable-alpha-plugins --enable-exec
  apiVersion: claimbridge.dev/v1alpha1
  kind: ClaimConversion
  metadata:
    name: to-1.36
    annotations:
      config.kubernetes.io/function: |
        exec: {path: ./claimbridge-fn}
  spec:
    to: "1.36"`

func newFnCommand() *cobra.Command {
	var to string
	c := newCommand("fn", "Convert the claims of a ResourceList, as a function of kustomize and kpt",
		fnLong, fnExample, cobra.NoArgs, func(cmd *cobra.Command) error {
			return function.Run(cmd.Context(), to, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		})
	c.FlagSet("conversion").StringVar(&to, "to", "", fmt.Sprintf("version, or release of Kubernetes like 1.36, for a list whose functionConfig names none: %s", oneOf(conversion.Versions())))
	c.takes("to", append(conversion.Versions(), release.Names()...)...)
	return c.whole()
}
