package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/build"
)

func newVersionCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of claimbridge",
		Long:  "Print the version of claimbridge, and what it was built from and with.",
		Args:  cobra.NoArgs,
	}
	formats := []string{"yaml", "json"}
	var f flags
	f.output(&output, "", "output format: yaml or json. Default: one line of text", formats...)
	f.addTo(cmd)
	cmd.RunE = begin(func(cmd *cobra.Command) error {
		if err := checkOutput(output, append(formats, ""), "yaml or json"); err != nil {
			return err
		}
		text, err := formatVersion(build.Version(), output)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	})
	return cmd
}

func formatVersion(info version.Info, output string) (string, error) {
	switch output {
	case "json":
		out, err := json.MarshalIndent(info, "", "  ")
		return string(out), err
	case "yaml":
		out, err := yaml.Marshal(info)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	return "claimbridge " + build.Format(info), nil
}
