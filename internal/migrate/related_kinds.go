package migrate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/findings"
)

// Objects of other kinds belong to claims. Some have the same fields in several versions, and the others need manual
// changes.

const (
	resourceClass = "ResourceClass"
	deviceClass   = "DeviceClass"
	resourceSlice = "ResourceSlice"
)

// relatedKinds are the other kinds of the group: the rule about an object in another version, what to do about it, and
// in which versions its fields are the same.
var relatedKinds = map[string]struct {
	rule            findings.Rule
	remedy          string // of a class see classRemedy
	hasSameFieldsIn func(version string) bool
}{
	"PodScheduling":           {findings.SchedulingObject, schedulingRemedy, nil},
	"PodSchedulingContext":    {findings.SchedulingObject, schedulingRemedy, nil},
	"ResourceClaimParameters": {findings.ParametersKind, parametersRemedy, nil},
	"ResourceClassParameters": {findings.ParametersKind, parametersRemedy, nil},
	resourceSlice: {
		findings.ResourceSlice,
		"; drivers create ResourceSlices: remove it from the manifests",
		api.HasExactly,
	},
	deviceClass: {findings.DeviceClassVersion, "", api.HasDevices},
	resourceClass: {
		findings.ResourceClassVersion,
		"",
		func(version string) bool { return !api.HasDevices(version) },
	},
}

const (
	schedulingRemedy = "; the scheduler creates this object itself: remove it from the manifests"
	parametersRemedy = ": VERSION has no such kind; move its settings to requests, selectors and configuration"
)

// counterpartClasses has, for each kind of class, the one that claims use in other versions: ResourceClass until
// v1alpha2, and DeviceClass since v1alpha3.
var counterpartClasses = map[string]string{resourceClass: deviceClass, deviceClass: resourceClass}

// hasSameFieldsIn reports whether a version is one of those in which the kind of the object has the same fields.
func (o *relatedObject) hasSameFieldsIn(version string) bool {
	isSame := relatedKinds[o.kind].hasSameFieldsIn
	return isSame != nil && isSame(version)
}

// extendedResourceRelease is the release that added the field extendedResourceName to DeviceClass.
const extendedResourceRelease = "1.34"

func (c *Converter) isClass(apiVersion, kind string) bool {
	isKind := kind == resourceClass || kind == deviceClass
	return isKind && c.Groups.HasByName(apiVersion) && strings.Contains(apiVersion, "/")
}

// needsOnlyNewAPIVersion reports whether an object needs only another apiVersion.
func (o *relatedObject) needsOnlyNewAPIVersion() bool {
	group, version, _ := strings.Cut(o.apiVersion, "/")
	return group == api.Group && version != o.version && o.hasSameFieldsIn(version) && o.hasSameFieldsIn(o.version) &&
		o.fieldOfClass() == ""
}

// fieldOfClass names the field of a class that the version does not have.
func (o *relatedObject) fieldOfClass() string {
	spec := o.root.member("spec")
	hasExtended := o.version != "v1alpha3" &&
		(o.To.Release == "" || api.Minor(o.To.Release) >= api.Minor(extendedResourceRelease))
	switch {
	// since 1.30
	case o.kind == resourceClass && o.version == "v1alpha1" && bytes.Contains(o.object, []byte(`"structuredParameters"`)):
		return "structuredParameters"
	case o.kind != deviceClass:
	case spec != nil && spec.kind != jsonObject && spec.kind != jsonNull:
		return "spec" // its fields are not known
	case o.version != "v1alpha3" && spec.member("suitableNodes") != nil:
		return "spec.suitableNodes"
	case !hasExtended && spec.member("extendedResourceName") != nil:
		return "spec.extendedResourceName"
	}
	return ""
}

// kindFinding is the reason why an object is not converted, with the rule about its kind.
type kindFinding struct {
	rule   findings.Rule
	reason string
}

// findingOfKind returns why an object of a kind is not converted, by its apiVersion and kind alone; nil if there is
// nothing to say about it.
func (c *Converter) findingOfKind(apiVersion, kind string) *kindFinding {
	rule, reason, looksLikeClaim := findings.WhyNotConverted(c.Groups, apiVersion, kind)
	switch {
	case !looksLikeClaim:
		return c.findingOfVersion(apiVersion, kind)
	case rule.Info().Severity == findings.Warning:
		reason = "is not converted: " + reason
	}
	return &kindFinding{rule, reason}
}

// findingOfVersion returns what to do about an object of the group that is not a claim and keeps its version.
func (c *Converter) findingOfVersion(apiVersion, kind string) *kindFinding {
	version := versionIn(apiVersion)
	related, isKnown := relatedKinds[kind]
	if !isKnown || version == "" || !c.Groups.HasByName(apiVersion) {
		return nil
	}
	if successor := counterpartClasses[kind]; successor != "" && !related.hasSameFieldsIn(c.version) {
		return &kindFinding{related.rule, fmt.Sprintf(
			"is not converted from %s: %s has no %s; write a %s with this name", version, c.version, kind, successor)}
	}
	if version == c.version {
		return nil
	}
	remedy := strings.Replace(related.remedy, "VERSION", c.version, 1)
	if remedy == "" {
		remedy = c.classRemedy(kind, version)
	}
	return &kindFinding{related.rule, "is not converted from " + version + remedy}
}

// classRemedy returns what to do about a class of another version.
func (c *Converter) classRemedy(kind, version string) string {
	removedField := ""
	switch {
	case kind == resourceClass:
	case !api.HasDevices(version):
		return fmt.Sprintf("; write apiVersion %s/%s, and check the fields: %s has no DeviceClass", api.Group, c.version,
			version)
	case version == "v1alpha3":
		removedField = "suitableNodes, which Kubernetes 1.32 removed"
	case c.version == "v1alpha3" || c.To.Release != "":
		removedField = "extendedResourceName, which Kubernetes " + extendedResourceRelease + " added"
	}
	if removedField == "" {
		return fmt.Sprintf("; write apiVersion %s/%s: the fields are the same", api.Group, c.version)
	}
	return fmt.Sprintf("; remove %s, and write apiVersion %s/%s", removedField, api.Group, c.version)
}
