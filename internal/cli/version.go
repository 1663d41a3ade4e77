package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/build"
)

func newVersionCommand() *cobra.Command {
	var output string
	formats := []string{"yaml", "json"}
	run := func(cmd *cobra.Command) error {
		if err := validateOutput(output, append(formats, ""), "yaml or json"); err != nil {
			return err
		}
		var text []byte
		var err error
		switch output {
		case "json":
			text, err = json.MarshalIndent(build.Version(), "", "  ")
		case "yaml":
			text, err = yaml.Marshal(build.Version())
		default:
			text = []byte("claimbridge " + build.Format(build.Version()))
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSuffix(string(text), "\n"))
		return err
	}
	c := newCommand("version", "Print the version of claimbridge", cobra.NoArgs, run)
	c.addOutput(&output, "", "output format: yaml or json (default one line of text)", formats...)
	return c.build()
}
