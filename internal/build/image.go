package build

import (
	"regexp"
	"strings"
)

// released matches versions of releases and pre-releases, which have an image. The version of a commit between two
// releases doesn't match.
var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-(alpha|beta|rc)\.[0-9]+)?$`)

// Released reports whether the program was built for a release, which has an image.
func Released() bool { return released.MatchString(Version().GitVersion) }

// Image returns the image with the version of the program as its tag. If the program was not built for a release, it
// returns the image unchanged.
func Image(image string) string { return imageOf(image, Version().GitVersion) }

func imageOf(image, version string) string {
	if tag := strings.LastIndexByte(image, ':'); tag >= 0 && released.MatchString(version) {
		return image[:tag+1] + version
	}
	return image
}
