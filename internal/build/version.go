// Package build says which build of claimbridge a program is.
package build

import (
	"fmt"
	"runtime/debug"
	"strings"

	"k8s.io/apimachinery/pkg/version"
	baseversion "k8s.io/component-base/version"
)

// Line of text about it: version, Go version and platform.
func Line() string { return Format(Version()) }

// Format a version as one line of text.
func Format(info version.Info) string {
	return fmt.Sprintf("%s (%s, %s)", info.GitVersion, info.GoVersion, info.Platform)
}

// Version is what the linker was told (-X k8s.io/component-base/version.gitVersion and its like),
// else what Go knows: with go install that is the version of the module.
func Version() version.Info {
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
