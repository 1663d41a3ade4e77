package migrate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// Other kinds go with claims: some can be brought to the version as they are, others are for a person.

const (
	oldClass      = "ResourceClass"
	newClass      = "DeviceClass"
	resourceSlice = "ResourceSlice"
)

// kinds of the group that are no claims: by which rule they are told of in another version, and
// why. Some have one shape in several versions.
var kinds = map[string]struct {
	rule finding.Rule
	why  string // of a class see leftBehind
	in   func(version string) bool
}{
	"PodScheduling":           {finding.SchedulingObject, schedules, nil},
	"PodSchedulingContext":    {finding.SchedulingObject, schedules, nil},
	"ResourceClaimParameters": {finding.ParametersKind, parameterized, nil},
	"ResourceClassParameters": {finding.ParametersKind, parameterized, nil},
	resourceSlice: {
		finding.ResourceSliceInFile,
		"; drivers publish their own, leave it out",
		api.HasExactly,
	},
	newClass: {finding.DeviceClassOfAnotherVersion, "", api.HasDevices},
	oldClass: {
		finding.ResourceClassOfAnotherVersion,
		"",
		func(version string) bool { return !api.HasDevices(version) },
	},
}

const (
	schedules     = "; the scheduler makes these for the pods that it places, leave it out"
	parameterized = ", and VERSION has no such kind; write what it says into requests, selectors and configuration"
)

// successors names the kind of class that claims use in versions without the other one:
// ResourceClass until v1alpha2, DeviceClass since v1alpha3.
var successors = map[string]string{oldClass: newClass, newClass: oldClass}

// isShaped reports whether the object has in a version the shape that its kind has in several.
func (o *other) isShaped(version string) bool {
	is := kinds[o.kind].in
	return is != nil && is(version)
}

// extendedResources came with a field of DeviceClass in this release.
const extendedResources = "1.34"

func (c *converter) isClass(apiVersion, kind string) bool {
	return (kind == oldClass || kind == newClass) && c.Groups.Names(apiVersion) && strings.Contains(apiVersion, "/")
}

// needsVersion reports whether an object needs another version, and nothing else.
func (o *other) needsVersion() bool {
	group, version, _ := strings.Cut(o.apiVersion, "/")
	return group == api.Group && version != o.to && o.isShaped(version) && o.isShaped(o.to) && o.fieldOfClass() == ""
}

// fieldOfClass names the field of a class that the version does not have.
func (o *other) fieldOfClass() string {
	spec := o.root.member("spec")
	hasExtended := o.to != "v1alpha3" && (o.To.Release == "" || api.Minor(o.To.Release) >= api.Minor(extendedResources))
	switch {
	// since 1.30
	case o.kind == oldClass && o.to == "v1alpha1" && bytes.Contains(o.object, []byte(`"structuredParameters"`)):
		return "structuredParameters"
	case o.kind != newClass:
	case spec != nil && spec.is != '{' && spec.is != 'n':
		return "spec" // nobody knows
	case o.to != "v1alpha3" && spec.member("suitableNodes") != nil:
		return "spec.suitableNodes"
	case !hasExtended && spec.member("extendedResourceName") != nil:
		return "spec.extendedResourceName"
	}
	return ""
}

// leftBehind says what to do about an object of the group that is no claim, and stays in the version that it has.
func (c *converter) leftBehind(apiVersion, kind string) (rule finding.Rule, why string, remarkable bool) {
	_, version, _ := strings.Cut(apiVersion, "/")
	is, known := kinds[kind]
	if !known || version == "" || !c.Groups.Names(apiVersion) {
		return 0, "", false
	}
	if successor := successors[kind]; successor != "" && !is.in(c.to) {
		why = fmt.Sprintf("passes through as %s, and %s has no %s; write a %s of this name", version, c.to, kind,
			successor)
		return is.rule, why, true
	}
	if version == c.to {
		return 0, "", false
	}
	why = strings.Replace(is.why, "VERSION", c.to, 1)
	if why == "" { // a class
		same := "the fields are the same"
		switch {
		case kind == oldClass:
		case !api.HasDevices(version):
			same = "and look at its fields: " + version + " has no such kind"
		case version == "v1alpha3":
			same += " but for suitableNodes, which is gone since Kubernetes 1.32"
		case c.to == "v1alpha3" || c.To.Release != "":
			same += " but for extendedResourceName, which came with Kubernetes " + extendedResources
		}
		why = fmt.Sprintf("; write apiVersion %s/%s, %s", api.Group, c.to, same)
	}
	return is.rule, "passes through as " + version + why, true
}
