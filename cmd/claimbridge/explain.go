package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/claimbridge/claimbridge/internal/explain"
)

const explainLong = `Explain an error that has to do with versions of resource.k8s.io: paste what a scheduler, an autoscaler, a driver, Helm, Argo CD or
kubectl printed, as arguments or on standard input. Printed are the cause, which releases serve what, the way that Kubernetes itself has, and
one command. Nothing of the text is sent anywhere. docs/errors.md has the errors that are known.

Exit code: 0 it is explained, 1 it is not known or could not be read, 2 the command line is wrong.`

const explainExample = `  # What a controller logs
  claimbridge explain 'no matches for kind "ResourceClaimTemplate" in version "resource.k8s.io/v1"'

  # A whole log: the first error that is known counts
  kubectl logs -n kube-system deployment/cluster-autoscaler | claimbridge explain`

// errUnknown says what to do with what no row knows.
var errUnknown = errors.New(`this is no error that is known here
'kubectl api-versions | grep resource.k8s.io' lists the versions that the cluster serves; compare them with what the file, the chart or the program speaks.
docs/errors.md has the errors that are known, docs/troubleshooting.md those of an installation of claimbridge. If it is about versions, report its text`)

func newExplainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "explain [TEXT]", Short: "Explain an error about versions of resource.k8s.io", Long: explainLong, Example: explainExample,
		Args: cobra.ArbitraryArgs,
	}
	var f flags
	f.addTo(cmd)
	cmd.RunE = begin(func(cmd *cobra.Command) error {
		texts := []string{strings.Join(cmd.Flags().Args(), " ")}
		if cmd.Flags().NArg() == 0 || texts[0] == "-" {
			if f, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
				return usagef("what should be explained? Give a text, in single quotes, or pipe a log in")
			}
			content, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxExplained))
			if err != nil {
				return fmt.Errorf("read the text: %w", err)
			}
			// A terminal may have wrapped what is pasted; of a log each line speaks for itself.
			texts = append(strings.Split(string(content), "\n"), string(content))
		}
		for _, text := range texts {
			if answer, known := explain.Text(text); known {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n\nCause:       %s\nReleases:    %s\nKubernetes:  %s\nCommand:     %s\n", answer.Name, answer.Cause,
					answer.Releases, answer.Native, answer.Command)
				return err
			}
		}
		return errUnknown
	})
	return cmd
}

// maxExplained bytes are read of a log.
const maxExplained = 16 << 20
