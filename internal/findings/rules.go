package findings

import (
	"slices"

	"github.com/claimbridge/claimbridge/validation"
)

// Rule is the name of a rule: one of this package, or of package validation.
type Rule string

// RuleInfo describes a rule.
type RuleInfo struct {
	Name Rule
	// Severity is the usual severity. Reason says when findings of the rule have another one.
	Severity Severity
	// Reason and Remedy are one line each.
	Reason, Remedy string
	// Plural describes several findings of the rule in the line that counts those that are not printed, such as "objects
	// of other groups are not converted: 490 more". Set it if the rule may apply to every object of an input. A rule
	// about lost data does not have it, so that all its findings are printed.
	Plural string
}

// Rules returns the rules of this package, in the order of their table.
func Rules() []RuleInfo { return slices.Clone(rules) }

// Info returns the entry of the table. It is empty for a rule of package validation.
func (r Rule) Info() RuleInfo {
	i := slices.IndexFunc(rules, func(a RuleInfo) bool { return a.Name == r })
	if i < 0 {
		return RuleInfo{}
	}
	return rules[i]
}

// findRule returns the description of a rule of this package, or of package validation.
func findRule(name Rule) (RuleInfo, bool) {
	if info := name.Info(); info.Name != "" {
		return info, true
	}
	for _, r := range validation.RuleVersions() {
		if r.Name == string(name) {
			return RuleInfo{
				Name:     name,
				Severity: Error,
				Reason:   r.Reason,
				Remedy:   "Change what the rule rejects: `claimbridge rules " + r.Name + "` has examples.",
			}, true
		}
	}
	return RuleInfo{}, false
}

// errorInPlaceNote says when a warning about preserved data is an error.
const errorInPlaceNote = "In place, this is an error without --accept-leftovers."

// errorInKustomizationNote says when a warning about a patch is an error.
const errorInKustomizationNote = "In place, convert rewrites such a reference in a kustomization, and in a file with " +
	"a JSON patch or replacements. A reference there that it cannot rewrite is an error. So is one in a patch of a Flux " +
	"Kustomization or an Argo CD Application."

// Names of the rules. The name of a constant is that of its rule in camel case. For the steps to add a rule, see "Add a
// finding" in CONTRIBUTING.md.
const (
	UnreadableFile          Rule = "unreadable-file"
	SkippedFile             Rule = "skipped-file"
	GitignoreNotApplied     Rule = "gitignore-not-applied"
	UnreadableDocument      Rule = "unreadable-document"
	HelmTemplate            Rule = "helm-template"
	ObjectWithoutType       Rule = "object-without-type"
	UnknownField            Rule = "unknown-field"
	DuplicateField          Rule = "duplicate-field"
	FieldOfAnotherVersion   Rule = "field-of-another-version"
	StrategicMergePatch     Rule = "strategic-merge-patch"
	WrongType               Rule = "wrong-type"
	UnknownVersion          Rule = "unknown-version"
	VersionOffByDefault     Rule = "version-off-by-default"
	CannotBeConverted       Rule = "cannot-be-converted"
	MetadataIsInvalid       Rule = "metadata-is-invalid"
	RefusedByRelease        Rule = "refused-by-release"
	LeftoversDoNotFit       Rule = "leftovers-do-not-fit"
	LeftoverIgnored         Rule = "leftover-ignored"
	FieldLost               Rule = "field-lost"
	DeallocationWouldBeLost Rule = "deallocation-would-be-lost"
	ConfigurationTooLarge   Rule = "configuration-too-large"
	ClaimOfAnotherGroup     Rule = "claim-of-another-group"
	MisspeltType            Rule = "misspelt-type"
	UnknownKind             Rule = "unknown-kind"
	IncompleteAPIVersion    Rule = "incomplete-api-version"
	SchedulingObject        Rule = "scheduling-object"
	ResourceSlice           Rule = "resource-slice"
	ParametersKind          Rule = "parameters-kind"
	DeviceClassVersion      Rule = "device-class-version"
	ResourceClassVersion    Rule = "resource-class-version"
	ParametersAreNotRead    Rule = "parameters-are-not-read"
	HandleIsNotRead         Rule = "handle-is-not-read"
	ControllerIsNotRead     Rule = "controller-is-not-read"
	AllocationByController  Rule = "allocation-by-controller"
	LeftoverInAnnotation    Rule = "leftover-in-annotation"
	FieldDroppedByRelease   Rule = "field-dropped-by-release"
	ValidationWarning       Rule = "validation-warning"
	AdminAccessNeedsLabel   Rule = "admin-access-needs-label"
	PodClaimSource          Rule = "pod-claim-source"
	SameObject              Rule = "same-object"
	TooManyToCompare        Rule = "too-many-to-compare"
	CannotBeEdited          Rule = "cannot-be-edited"
	StrandedComment         Rule = "stranded-comment"
	ClaimVersion            Rule = "claim-version"
	MovedField              Rule = "moved-field"
	NamedVersion            Rule = "named-version"
)

// rules is the table of all rules. `claimbridge rules` lists them in this order, and so does the summary of a run.
var rules = []RuleInfo{
	{
		Name: UnreadableFile, Severity: Error,
		Reason: "A file or directory cannot be read or written.",
		Remedy: "Check its name, its permissions, and whether another process changes it.",
	},
	{
		Name: SkippedFile, Severity: Warning,
		Reason: "A file in a directory is skipped if it contains no Kubernetes object, is a JSON patch, is not a " +
			"regular file, or is a link to a target outside of the directory and its Git repository. `convert` leaves " +
			"kustomizations, and the patches that they name, out of a stream. `validate` skips such a patch if a " +
			"rule rejects it.",
		Remedy: "To read the file, name it on the command line. To omit it without a warning, use --exclude.",
	},
	{
		Name: GitignoreNotApplied, Severity: Warning,
		Reason: "git cannot list the files of a directory in a work tree, for the reason in the message. So all files " +
			"of the directory are read, including those that .gitignore excludes.",
		Remedy: "Install git, or mark the directory as safe (git config --global --add safe.directory DIRECTORY). To skip " +
			"files without git, use --exclude.",
	},
	{
		Name: UnreadableDocument, Severity: Error,
		Reason: "A document is neither YAML nor JSON, is not an object, or is too large.",
		Remedy: "Correct it where the message says. In a stream, a list of more than 16 MiB can be read as JSON, up " +
			"to 512 MiB. In a file, split the list.",
	},
	{
		Name: HelmTemplate, Severity: Error,
		Reason: "A Helm template uses another API version, or a field at its old location. Templates of a chart are " +
			"never edited, because their text is known only after rendering. A template that also contains the " +
			"target version is assumed to select it conditionally, and is not reported.",
		Remedy: "Change the line by hand, and check what it renders: `helm template CHART | claimbridge convert --to " +
			"1.36 --check --diff`.",
	},
	{
		Name: ObjectWithoutType, Severity: Error,
		Reason: "An object has no apiVersion or no kind, so it could be a claim.",
		Remedy: "Set both, or exclude the file.",
	},
	{
		Name: UnknownField, Severity: Error,
		Reason: "No version of claims has the field. The API server would drop it or reject the object.",
		Remedy: "Correct its name or remove it. With --validate=false it is dropped with a warning.",
	},
	{
		Name: DuplicateField, Severity: Error,
		Reason: "A field occurs more than once in an object, and only one value counts.",
		Remedy: "Keep only one of the fields. With --validate=false the last value counts, with a warning.",
	},
	{
		Name: FieldOfAnotherVersion, Severity: Error,
		Reason: "The object has a field that belongs to a version other than its apiVersion.",
		Remedy: "Correct the apiVersion or the field. With --validate=false the field is dropped with a warning.",
	},
	{
		Name: StrategicMergePatch, Severity: Error,
		Reason: "An object that looks like a claim has directives of a strategic merge patch, such as $patch: " +
			"delete, or a null that deletes a field. Converting it would change its meaning.",
		Remedy: "Change its apiVersion and the fields that it patches by hand.",
	},
	{
		Name: WrongType, Severity: Error,
		Reason: "A value does not have the type of its field, so the API server cannot decode the object.",
		Remedy: "Use a value of the type in the message.",
	},
	{
		Name: UnknownVersion, Severity: Error,
		Reason: "Claims have no version with this apiVersion, or the release does not serve it.",
		Remedy: "Use one of the versions in the message.",
	},
	{
		Name: VersionOffByDefault, Severity: Warning,
		Reason: "An API server of the release serves the version only if it is enabled, so most clusters reject the " +
			"object.",
		Remedy: "Convert the object to the version in the message, or enable its version.",
		Plural: "objects have a version that is off by default",
	},
	{
		Name: CannotBeConverted, Severity: Error,
		Reason: "An object cannot be decoded as a claim or validated, for the reason in the message.",
		Remedy: "Correct the field in the message.",
	},
	{
		Name: MetadataIsInvalid, Severity: Error,
		Reason: "The metadata is invalid. The API server checks it before anything else.",
		Remedy: "Correct the name, label, annotation or owner in the message.",
	},
	{
		Name: RefusedByRelease, Severity: Error,
		Reason: "The API server of the release rejects the object before it checks a rule that has a name.",
		Remedy: "Correct the field in the message, or use another release.",
	},
	{
		Name: LeftoversDoNotFit, Severity: Error,
		Reason: "The data that the version has no field for exceeds the 256 KiB of annotations.",
		Remedy: "Convert to a version that has the fields. With --validate=false the data is dropped with a warning.",
	},
	{
		Name: LeftoverIgnored, Severity: Warning,
		Reason: "The data that an earlier conversion preserved does not match this object, so it is not restored.",
		Remedy: "If the object was changed on purpose after the conversion, no action is needed. Otherwise, convert the " +
			"original again.",
	},
	{
		Name: FieldLost, Severity: Warning,
		Reason: "The version has no field for a value, and the value cannot be preserved. " + errorInPlaceNote,
		Remedy: "Check whether a client needs the value. The original still has it.",
	},
	{
		Name: DeallocationWouldBeLost, Severity: Error,
		Reason: "Kubernetes has no deallocationRequested since v1beta1, so the driver would not be asked to " +
			"deallocate the claim.",
		Remedy: "Let the driver deallocate the claim before the conversion, or clear the allocation and the field.",
	},
	{
		Name: ConfigurationTooLarge, Severity: Error,
		Reason: "Since 1.32, Kubernetes limits the parameters of an entry to 10,240 bytes, and the number of entries.",
		Remedy: "Reduce the parameters, or let the driver deallocate the claim before the conversion.",
	},
	{
		Name: ClaimOfAnotherGroup, Severity: Warning,
		Reason: "A claim belongs to a group that is not in --group, so it is not converted.",
		Remedy: "Add its group with --group, or correct the group.",
		Plural: "objects of other groups are not converted",
	},
	{
		Name: MisspeltType, Severity: Error,
		Reason: "A kind or a group is similar to that of a claim, and no API server serves it.",
		Remedy: "Correct it as the message says.",
	},
	{
		Name: UnknownKind, Severity: Warning,
		Reason: "The group resource.k8s.io never had this kind, so the object is not converted.",
		Remedy: "Correct the kind, or remove the object.",
		Plural: "objects of unknown kinds are not converted",
	},
	{
		Name: IncompleteAPIVersion, Severity: Error,
		Reason: "An apiVersion has no group or no version, or is a variable, so the version of the claim is unknown.",
		Remedy: "Write the group and the version, such as resource.k8s.io/v1.",
	},
	{
		Name: SchedulingObject, Severity: Warning,
		Reason: "The scheduler creates PodScheduling and PodSchedulingContext objects for pods. Kubernetes 1.32 " +
			"removed them.",
		Remedy: "Remove the object.",
		Plural: "objects of the scheduler are unchanged",
	},
	{
		Name: ResourceSlice, Severity: Warning,
		Reason: "A ResourceSlice has other fields in the target version. Drivers publish their own slices.",
		Remedy: "Remove the object. Between v1beta2 and v1, which have the same fields, convert replaces the " +
			"apiVersion.",
		Plural: "slices are unchanged",
	},
	{
		Name: ParametersKind, Severity: Warning,
		Reason: "Only Kubernetes 1.30 had ResourceClaimParameters and ResourceClassParameters.",
		Remedy: "Move their settings to requests, selectors and configuration. Attributes have other names since 1.31.",
		Plural: "parameter objects are unchanged",
	},
	{
		Name: DeviceClassVersion, Severity: Warning,
		Reason: "A DeviceClass has a version other than that of the claims that refer to it. Up to v1alpha2, claims " +
			"refer to a ResourceClass.",
		Remedy: "If the fields are the same, convert replaces the apiVersion. Otherwise, remove the field or write " +
			"the class that the message names.",
		Plural: "device classes keep their version",
	},
	{
		Name: ResourceClassVersion, Severity: Warning,
		Reason: "A ResourceClass has a version other than that of the claims that refer to it. Since v1alpha3, claims " +
			"refer to a DeviceClass.",
		Remedy: "Between v1alpha1 and v1alpha2, convert replaces the apiVersion. For v1alpha3 and later, write a " +
			"DeviceClass with the same name.",
		Plural: "resource classes keep their version",
	},
	{
		Name: ParametersAreNotRead, Severity: Warning,
		Reason: "A parametersRef refers to an object that no driver reads since 1.31. " + errorInPlaceNote,
		Remedy: "Move the settings of the parameters to spec.devices, or spec.spec.devices of a template: a count, " +
			"selectors, and the configuration of the driver.",
		Plural: "objects keep a parametersRef that no driver reads",
	},
	{
		Name: HandleIsNotRead, Severity: Warning,
		Reason: "The data of a classic handle is preserved where drivers ignore it. " + errorInPlaceNote,
		Remedy: "Unprepare and deallocate the claim before the conversion, or use a driver that reads the kind " +
			"ResourceHandle.",
		Plural: "objects keep the data of classic handles, which drivers ignore",
	},
	{
		Name: ControllerIsNotRead, Severity: Warning,
		Reason: "A claim names the controller that allocates it. Since 1.32, only the scheduler allocates claims. " +
			errorInPlaceNote,
		Remedy: "If the driver publishes ResourceSlices, no action is needed. Otherwise, the driver does not work with " +
			"this release.",
		Plural: "objects keep a controller that no program reads",
	},
	{
		Name: AllocationByController, Severity: Warning,
		Reason: "A controller allocated the claim. Since 1.32, no controller deallocates it. " + errorInPlaceNote,
		Remedy: "Let the controller deallocate the claim before the upgrade.",
		Plural: "objects have allocations that no controller deallocates",
	},
	{
		Name: LeftoverInAnnotation, Severity: Warning,
		Reason: "The data that the version has no field for is preserved in annotations, where no driver reads it. " +
			errorInPlaceNote,
		Remedy: "Use fields of the version instead, or accept that drivers ignore the data. The reverse conversion " +
			"restores it.",
		Plural: "objects have data in annotations that no driver reads",
	},
	{
		Name: FieldDroppedByRelease, Severity: Warning,
		Reason: "The release does not have a field, or its feature gate is off by default, so its API server drops " +
			"the field.",
		Remedy: "Remove the field, or enable the feature gate.",
		Plural: "objects have fields that the API server of the release drops",
	},
	{
		Name: ValidationWarning, Severity: Warning,
		Reason: "The write is allowed, and drops data that an earlier conversion preserved, or that the stored " +
			"version has no field for.",
		Remedy: "Check whether a client needs the data. If it was preserved by mistake, remove its annotation.",
		Plural: "objects lose preserved data when they are written",
	},
	{
		Name: AdminAccessNeedsLabel, Severity: Warning,
		Reason: "Since 1.33, a claim can use adminAccess only in a namespace with a label. The label has another " +
			"name since 1.34.",
		Remedy: "Add the label in the message to the namespace. If the input contains the namespace with the label, " +
			"there is no warning, and convert writes the name that the release uses.",
		Plural: "objects need a label of their namespace for adminAccess",
	},
	{
		Name: PodClaimSource, Severity: Warning,
		Reason: "Up to 1.30, a pod refers to its claims in source. Since 1.31, resourceClaimName and " +
			"resourceClaimTemplateName are next to name. If a patch of a kustomization cannot be converted in place, " +
			"this is an error.",
		Remedy: "In pods and pod templates, convert writes the form of the version. If it cannot, the message has " +
			"the replacement.",
		Plural: "objects have pods whose resourceClaims need another form",
	},
	{
		Name: SameObject, Severity: Warning,
		Reason: "Two objects with the same kind and name, in a directory or in the build of a kustomization, had " +
			"different versions and now have the same one. kustomize does not build such a pair, so this is an " +
			"error in place. If you apply both, the last one counts.",
		Remedy: "Remove one of them.",
		Plural: "objects are duplicates that had different versions",
	},
	{
		Name: TooManyToCompare, Severity: Warning,
		Reason: "Objects with the same name, and namespaces that allow adminAccess, are compared after all input is " +
			"read, up to 10,000 of each. Further ones are not compared.",
		Remedy: "Convert the input in several runs.",
	},
	{
		Name: CannotBeEdited, Severity: Error,
		Reason: "The text of a document cannot be edited so that it is equivalent to the converted object. In a file " +
			"it is unchanged. In a stream it is generated again, with a warning that its comments are lost.",
		Remedy: "Change the document by hand: replace the part in the message, such as a merge key or an anchor, " +
			"with plain fields.",
	},
	{
		Name: StrandedComment, Severity: Warning,
		Reason: "The version does not have the field that a comment describes. The field is removed, and the comment " +
			"is kept. Or a value in flow style ({} or []) was written in block style, and its comments follow it.",
		Remedy: "Read the comment, and remove it if it no longer applies.",
		Plural: "documents have comments of fields that the version does not have",
	},
	{
		Name: ClaimVersion, Severity: Warning,
		Reason: "A claim or template does not have the target version.",
		Remedy: "convert writes it in that version.",
		Plural: "objects have another version",
	},
	{
		Name: MovedField, Severity: Warning,
		Reason: "A JSON patch or a selector refers to a field that moved, or that the version does not have. " +
			errorInKustomizationNote,
		Remedy: "Use the path of the version, such as /spec/devices/requests/0/exactly/deviceClassName in v1beta2 " +
			"and v1.",
		Plural: "patches and selectors name fields that have another path in the version",
	},
	{
		Name: NamedVersion, Severity: Warning,
		Reason: "An object refers to another version of resource.k8s.io: in the target of a patch, in the rules of a " +
			"webhook or policy, in an object in a string, or in a chart value. If that version is no longer " +
			"served, or its objects are converted, the reference matches nothing. " + errorInKustomizationNote +
			" A rule of a webhook or policy with matchPolicy: Exact, and a selector of kustomize that has a " +
			"version but neither group nor kind, are errors in place if objects of the version are converted.",
		Remedy: "Replace the version, or add the new version to the list, where the message says.",
		Plural: "objects name another version",
	},
}
