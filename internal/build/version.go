// Package build returns the version of the program.
package build

import (
	"fmt"
	"runtime/debug"
	"strings"

	"k8s.io/apimachinery/pkg/version"
	baseversion "k8s.io/component-base/version"
)

// Line returns the version, the Go version and the platform of the program as one line of text.
func Line() string { return Format(Version()) }

// Format returns a version as one line of text.
func Format(info version.Info) string {
	return fmt.Sprintf("%s (%s, %s)", info.GitVersion, info.GoVersion, info.Platform)
}

// Version returns the version that the linker set (-X k8s.io/component-base/version.gitVersion and similar flags), or
// otherwise the build information of Go, which has the version of the module after go install.
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
