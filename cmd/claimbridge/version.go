package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/version"
	baseversion "k8s.io/component-base/version"
	"sigs.k8s.io/yaml"
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
		text, err := formatVersion(buildVersion(), output)
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
	return "claimbridge " + versionLine(info), nil
}

func versionLine(info version.Info) string {
	return fmt.Sprintf("%s (%s, %s)", info.GitVersion, info.GoVersion, info.Platform)
}

// buildVersion is what the linker was told (-X k8s.io/component-base/version.gitVersion and its like), else what Go
// knows: with go install that is the version of the module.
func buildVersion() version.Info {
	info := baseversion.Get()
	if !strings.Contains(info.GitVersion, "$Format") {
		return info
	}
	info.GitVersion, info.GitCommit = "unknown", ""
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	if build.Main.Version != "" {
		info.GitVersion = build.Main.Version
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.GitCommit = s.Value
		case "vcs.time":
			info.BuildDate = s.Value
		case "vcs.modified":
			info.GitTreeState = map[string]string{"true": "dirty", "false": "clean"}[s.Value]
		}
	}
	return info
}
