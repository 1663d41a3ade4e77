package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/terminal"
	"github.com/claimbridge/claimbridge/internal/explain"
)

// unknownText says what to do with what no row knows.
var unknownText = `no error about versions of resource.k8s.io that is known here
  look for   the version, kind and field in your text: 'kubectl api-versions | grep resource.k8s.io' lists what the cluster serves, and
             'claimbridge convert --check --to ` + api.Stored().Release + ` .' the files that name something else
  read       https://github.com/claimbridge/claimbridge/blob/main/docs/errors.md, and docs/troubleshooting.md if claimbridge itself printed it
  report     https://github.com/claimbridge/claimbridge/issues/new?template=error.yml, if it is about versions`

func newExplainCommand() *cobra.Command {
	const maxExplained = 16 << 20 // bytes of a log
	run := func(cmd *cobra.Command) error {
		text := strings.Join(cmd.Flags().Args(), " ")
		if text == "" || text == "-" {
			if terminal.Is(cmd.InOrStdin()) {
				return usagef("what should be explained? Give a text, in single quotes, or pipe a log in")
			}
			content, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxExplained+1))
			if err == nil && len(content) > maxExplained {
				err = fmt.Errorf("it is longer than %d MiB: give it what is around the error", maxExplained>>20)
			}
			if err != nil {
				return fmt.Errorf("read the text: %w", err)
			}
			text = string(content)
		}
		found, known := explain.Log(text)
		if info, err := os.Stat(text); !known && err == nil && info.Mode().IsRegular() {
			return usagef("%q is a file, and a text is explained: %s < %s", text, cmd.CommandPath(), text)
		}
		if !known {
			return errors.New(asCalled(cmd, unknownText))
		}
		found.Text, found.Command, found.Otherwise = finding.Printable(found.Text), asCalled(cmd, found.Command), asCalled(cmd, found.Otherwise)
		_, err := fmt.Fprint(cmd.OutOrStdout(), found)
		return err
	}
	return newCommand("explain [TEXT]", "Explain an error about versions of resource.k8s.io", cobra.ArbitraryArgs, run).whole()
}
