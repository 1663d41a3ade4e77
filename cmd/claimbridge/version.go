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
	formats := []string{"yaml", "json"}
	run := func(cmd *cobra.Command) error {
		if err := checkOutput(output, append(formats, ""), "yaml or json"); err != nil {
			return err
		}
		text, err := formatVersion(build.Version(), output)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	}
	c := newCommand("version", "Print the version of claimbridge", cobra.NoArgs, run)
	c.output(&output, "", "output format: yaml or json. Default: one line of text", formats...)
	return c.whole()
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
