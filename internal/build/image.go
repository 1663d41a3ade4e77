package build

import (
	"regexp"
	"strings"
)

// released are versions that images are tagged with. The version of a commit between two releases is none.
var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-(alpha|beta|rc)\.[0-9]+)?$`)

// Released reports whether the program is of a release, of which there is an image.
func Released() bool { return released.MatchString(Version().GitVersion) }

// Image of the release that the program is of: the given one, with its tag replaced. A program that
// is of no release has the image as it is.
func Image(image string) string { return imageOf(image, Version().GitVersion) }

func imageOf(image, version string) string {
	if tag := strings.LastIndexByte(image, ':'); tag >= 0 && released.MatchString(version) {
		return image[:tag+1] + version
	}
	return image
}
