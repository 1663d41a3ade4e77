package finding

// inPlace says when a warning about preserved data is an error.
const inPlace = "In place, this is an error without --accept-leftovers."

// inBuild says when a patch is converted, and when a warning about it is an error.
const inBuild = "In a kustomization and in a file with a JSON patch or replacements, it is converted in place. If " +
	"that is not possible, it is an error in place, and also in Kustomizations of Flux and Applications of Argo CD."

// The rules, in the order in which the number of further findings is printed at the end: name, severity, reason,
// remedy, and a noun phrase for several findings.
var (
	UnreadableFile = rule("unreadable-file", Error,
		"A file or folder on the command line cannot be read.",
		"Check its name and its permissions.")
	SkippedFile = rule("skipped-file", Warning,
		"A file in a folder is skipped if it contains no Kubernetes object, is a JSON patch, is not a regular "+
			"file, or is a link to a target outside of the folder and its Git repository. `convert` leaves "+
			"kustomizations, and the patches that they name, out of a stream. `validate` skips such a patch if a "+
			"rule rejects it.",
		"To read the file, name it on the command line. To omit it without a warning, use --exclude.")
	UnreadableDocument = rule("unreadable-document", Error,
		"A document is neither YAML nor JSON, is not an object, or is too large.",
		"Correct it where the message says. A list of more than 16 MiB can be read as JSON, up to 512 MiB.")
	HelmTemplate = rule("helm-template", Error,
		"A Helm template uses another API version, or a field at its old location. Templates of a chart are "+
			"never edited, because their text is known only after rendering. A template that also contains the "+
			"target version is assumed to select it conditionally, and is not reported.",
		"Change the line by hand, and check what it renders: `helm template CHART | claimbridge convert --to "+
			"1.36 --check --diff`.")
	ObjectWithoutType = rule("object-without-type", Error,
		"An object has no apiVersion or no kind, so it could be a claim.",
		"Set both, or exclude the file.")

	UnknownField = rule("unknown-field", Error,
		"No version of claims has the field. The API server would drop it or reject the object.",
		"Correct its name or remove it. With --validate=false it is dropped with a warning.")
	DuplicateField = rule("duplicate-field", Error,
		"A field occurs more than once in an object, and only one value counts.",
		"Remove the others. With --validate=false the last value counts, with a warning.")
	FieldOfAnotherVersion = rule("field-of-another-version", Error,
		"The object has a field of another version than its apiVersion.",
		"Correct the apiVersion or the field. With --validate=false the field is dropped with a warning.")
	StrategicMergePatch = rule("strategic-merge-patch", Error,
		"An object that looks like a claim has directives of a strategic merge patch, such as $patch: delete, "+
			"or a null that deletes a field. Converting it would change its meaning.",
		"Change its apiVersion and the fields that it patches by hand.")
	WrongType = rule("wrong-type", Error,
		"A value does not have the type of its field, so the API server cannot decode the object.",
		"Use a value of the type in the message.")
	UnknownVersion = rule("unknown-version", Error,
		"Claims have no version with this apiVersion, or the release does not serve it.",
		"Use one of the versions in the message.")
	VersionOffByDefault = rule("version-off-by-default", Warning,
		"An API server of the release serves the version only if it is enabled, so most clusters reject the "+
			"object.",
		"Convert the object to the version in the message, or enable its version.",
		"objects have a version that is off by default")
	CannotBeConverted = rule("cannot-be-converted", Error,
		"An object cannot be decoded as a claim or validated, for the reason in the message.",
		"Correct the field in the message.")
	MetadataIsInvalid = rule("metadata-is-invalid", Error,
		"The metadata is invalid. The API server checks it before anything else.",
		"Correct the name, label, annotation or owner in the message.")
	RefusedByRelease = rule("refused-by-release", Error,
		"The API server of the release rejects the converted object before it checks a rule that has a name.",
		"Correct the field in the message, or convert to another release.")
	LeftoversDoNotFit = rule("leftovers-do-not-fit", Error,
		"The data that the version has no field for exceeds the 256 KiB of annotations.",
		"Convert to a version that has the fields. With --validate=false the data is dropped with a warning.")
	LeftoverIgnored = rule("leftover-ignored", Warning,
		"The data that an earlier conversion preserved does not match this object, so it is not restored.",
		"If the object was changed since the conversion, nothing. Otherwise convert the original again.")
	FieldLost = rule("field-lost", Warning,
		"The version has no field for a value, and the value cannot be preserved. "+inPlace,
		"Check whether a client needs the value. The original still has it.")
	DeallocationLost = rule("deallocation-would-be-lost", Error,
		"Kubernetes has no deallocationRequested since v1beta1, so the driver would not be asked to deallocate "+
			"the claim.",
		"Let the driver deallocate the claim before the conversion, or clear the allocation and the field.")
	ConfigurationTooLarge = rule("configuration-too-large", Error,
		"Since 1.32, Kubernetes limits the parameters of an entry to 10,240 bytes, and the number of entries.",
		"Reduce the parameters, or let the driver deallocate the claim before the conversion.")

	OtherGroup = rule("claim-of-another-group", Warning,
		"A claim belongs to a group that is not in --group, so it is not converted.",
		"Add its group with --group, or correct the group.",
		"objects of other groups are not converted")
	MisspeltType = rule("misspelt-type", Error,
		"A kind or a group is similar to that of a claim, and no API server serves it.",
		"Correct it as the message says.")
	UnknownKind = rule("unknown-kind", Warning,
		"The group resource.k8s.io never had this kind, so the object is not converted.",
		"Correct the kind, or remove the object.",
		"objects of unknown kinds are not converted")
	NoVersion = rule("incomplete-api-version", Error,
		"An apiVersion has no group or no version, or is a variable, so the version of the claim is unknown.",
		"Write the group and the version, such as resource.k8s.io/v1.")
	SchedulingObject = rule("scheduling-object", Warning,
		"The scheduler creates PodScheduling and PodSchedulingContext objects for pods. Kubernetes 1.32 "+
			"removed them.",
		"Remove the object.",
		"objects of the scheduler are unchanged")
	ResourceSliceInFile = rule("resource-slice", Warning,
		"A ResourceSlice has other fields in the target version. Drivers publish their own slices.",
		"Remove the object. Between v1beta2 and v1, which have the same fields, convert replaces the "+
			"apiVersion.",
		"slices are unchanged")
	ParametersKind = rule("parameters-kind", Warning,
		"Only Kubernetes 1.30 had ResourceClaimParameters and ResourceClassParameters.",
		"Move its settings to requests, selectors and configuration. Attributes have other names since 1.31.",
		"parameter objects are unchanged")
	DeviceClassOfAnotherVersion = rule("device-class-version", Warning,
		"A DeviceClass has another version than the claims that refer to it. Up to v1alpha2, claims refer to a "+
			"ResourceClass.",
		"If the fields are the same, convert replaces the apiVersion. Otherwise remove the field, or write the "+
			"class, in the message.",
		"device classes keep their version")
	ResourceClassOfAnotherVersion = rule("resource-class-version", Warning,
		"A ResourceClass has another version than the claims that refer to it. Since v1alpha3, claims refer to "+
			"a DeviceClass.",
		"Between v1alpha1 and v1alpha2, replace the apiVersion. For v1alpha3 and later, write a DeviceClass "+
			"with the same name.",
		"resource classes keep their version")
	UnreadParameters = rule("parameters-are-not-read", Warning,
		"A parametersRef refers to an object that no driver reads since 1.31. "+inPlace,
		"Move the settings of the parameters to spec.devices, or spec.spec.devices of a template: a count, "+
			"selectors, and the configuration of the driver.",
		"objects keep a parametersRef that no driver reads")
	UnreadHandle = rule("handle-is-not-read", Warning,
		"The data of a classic handle is preserved where drivers ignore it. "+inPlace,
		"Unprepare and deallocate the claim before the conversion, or use a driver that reads the kind "+
			"ResourceHandle.",
		"objects keep the data of classic handles, which drivers ignore")
	UnreadController = rule("controller-is-not-read", Warning,
		"A claim names the controller that allocates it. Since 1.32, only the scheduler allocates claims. "+
			inPlace,
		"If the driver publishes ResourceSlices, nothing. Otherwise the driver does not work with this release.",
		"objects keep a controller that no program reads")
	UnreadAllocator = rule("allocation-by-controller", Warning,
		"A controller allocated the claim. Since 1.32, no controller deallocates it. "+inPlace,
		"Let the controller deallocate the claim before the upgrade.",
		"objects have allocations that no controller deallocates")
	UnreadLeftover = rule("leftover-in-annotation", Warning,
		"The data that the version has no field for is preserved in annotations, where no driver reads it. "+
			inPlace,
		"Use fields of the version instead, or accept that drivers ignore the data. The reverse conversion "+
			"restores it.",
		"objects have data in annotations that no driver reads")
	DroppedFields = rule("field-dropped-by-release", Warning,
		"The release does not have a field, or its feature gate is off by default, so its API server drops the "+
			"field.",
		"Remove the field, or enable the feature gate.",
		"objects have fields that the API server of the release drops")
	AdminAccess = rule("admin-access-needs-label", Warning,
		"Since 1.33, a claim can use adminAccess only in a namespace with a label. The label has another name "+
			"since 1.34.",
		"Add the label in the message to the namespace. If the input contains the namespace with the label, "+
			"there is no warning, and convert writes the name that the release uses.",
		"objects need a label of their namespace for adminAccess")
	PodClaims = rule("pod-claim-source", Warning,
		"Up to 1.30, a pod refers to its claims in source. Since 1.31, the field is next to the name. In a "+
			"patch of a kustomization that cannot be converted, this is an error in place.",
		"In pods and pod templates, convert writes the form of the version. If it cannot, the message has the "+
			"replacement.",
		"objects have pods whose resourceClaims need another form")
	SameObject = rule("same-object", Warning,
		"Two objects with the same kind and name, in a folder or in the build of a kustomization, had "+
			"different versions and now have the same one. kustomize does not build such a pair, so this is an "+
			"error in place. If you apply both, the last one counts.",
		"Remove one of them.",
		"objects are duplicates that had different versions")
	TooManyToCompare = rule("too-many-to-compare", Warning,
		"Objects with the same name, and namespaces that allow adminAccess, are compared after all input is "+
			"read, up to 10,000 of each.",
		"Convert the input in several runs.")
	CannotBeEdited = rule("cannot-be-edited", Error,
		"The text of a document cannot be edited so that it is equivalent to the converted object. In a file "+
			"it is unchanged. In a stream it is generated again, with a warning that its comments are lost.",
		"Change the document by hand: replace the part in the message, such as a merge key or an anchor, with "+
			"plain fields.")
	StrandedComment = rule("stranded-comment", Warning,
		"The version does not have the field of a comment. The comment remains at the same place.",
		"Read the comment, and remove it if it no longer applies.",
		"documents have comments of fields that the version does not have")

	ClaimOfAnotherVersion = rule("claim-version", Warning,
		"A claim or template does not have the target version.",
		"convert writes it in that version.",
		"objects have another version")
	MovedField = rule("moved-field", Warning,
		"A JSON patch or a selector refers to a field that moved, or that the version does not have. "+inBuild,
		"Use the path of the version, such as /spec/devices/requests/0/exactly/deviceClassName in v1beta2 and "+
			"v1.",
		"patches and selectors name fields that are elsewhere in the version")
	NamedVersion = rule("named-version", Warning,
		"An object refers to another version of resource.k8s.io: in the target of a patch, in the rules of a "+
			"webhook or policy, in an object in a string, or in a chart value. If that version is no longer "+
			"served, or its objects are converted, the reference matches nothing. "+inBuild+
			" A rule of a webhook or policy with matchPolicy: Exact, and a selector of kustomize that has a "+
			"version but neither group nor kind, are errors in place if objects of the version are converted.",
		"Replace the version, or add the new version to the list, where the message says.",
		"objects name another version")
)
