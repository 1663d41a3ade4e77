package finding

// inPlace is when a warning of what is kept is an error.
const inPlace = "An error in place without --accept-leftovers."

// inBuild is when a warning about a patch is an error, and when the patch is converted.
const inBuild = "In a kustomization and in a file with a JSON patch it is converted in place. It is an error in " +
	"place where that is not possible, and in Kustomizations of Flux and Applications of Argo CD."

// The rules, in the order in which more of them are counted at the end: name, severity, reason,
// remedy, and what many of them are. They are documented by it.
var (
	UnreadableFile = rule("unreadable-file", Error,
		"A file or folder that was named cannot be read, so nothing is known of what is in it.",
		"Look at its name and at who may read it.")
	SkippedFile = rule("skipped-file", Warning,
		"A file of a folder is not read when it holds no object, is a JSON patch or no regular file, or is a link "+
			"that leads out of the folder and its Git repository. `convert` leaves kustomizations, and the patches "+
			"that they name, out of a stream; `validate` skips such a patch where a rule rejects it.",
		"Name it itself to have it read, or leave it out with --exclude.")
	UnreadableDocument = rule("unreadable-document", Error,
		"A document is neither YAML nor JSON, is no object, or is too large to be read.",
		"Correct it where the message says; a list of more than 16 MiB can be read as JSON, up to 512 MiB.")
	HelmTemplate = rule("helm-template", Error,
		"A template names another version, or has a field where that was in one. Its braces may stand for anything "+
			"before it is rendered, so it is never edited, nor is any template of a chart. One that also names the "+
			"wanted version chooses between them, and is right.",
		"Change the line by hand, and look at what it becomes: `helm template CHART | claimbridge convert --to 1.36 "+
			"--check --diff`.")
	ObjectWithoutType = rule("object-without-type", Error,
		"An object without apiVersion or kind could be a claim, and nobody would know.",
		"Write both, or leave the file out.")

	UnknownField = rule("unknown-field", Error,
		"A field is in no version of claims; the API server would drop it, or refuse the object.",
		"Correct its name or remove it; --validate=false drops it, with a warning.")
	DuplicateField = rule("duplicate-field", Error,
		"A field is there twice, and only one of them counts.",
		"Remove one of them; --validate=false takes the last one, with a warning.")
	FieldOfAnotherVersion = rule("field-of-another-version", Error,
		"A field is one of another version than the object says that it has.",
		"Correct the apiVersion, or the field; --validate=false drops it, with a warning.")
	StrategicMergePatch = rule("strategic-merge-patch", Error,
		"What looks like a claim has directives of a strategic-merge patch, such as $patch: delete, or a null that "+
			"deletes. Without them it would say something else.",
		"Change its apiVersion and the fields that it patches by hand.")
	WrongType = rule("wrong-type", Error,
		"A value is of another type than its field, so the API server cannot read the object.",
		"Write a value of the type that the message names.")
	UnknownVersion = rule("unknown-version", Error,
		"The apiVersion is not one of claims, or not one that the release serves.",
		"Write one of those that the message lists.")
	VersionOffByDefault = rule("version-off-by-default", Warning,
		"An API server of the release serves the version only if it is enabled, so most clusters reject the object.",
		"Convert the object to the version that the message names, or enable its version.",
		"objects have a version that is off by default")
	CannotBeConverted = rule("cannot-be-converted", Error,
		"An object cannot be read as a claim, or judged as one, for what the message says.",
		"Correct what the message names.")
	MetadataIsInvalid = rule("metadata-is-invalid", Error,
		"Metadata is judged by the API server before anything else is.",
		"Correct the name, label, annotation or owner that the message names.")
	RefusedByRelease = rule("refused-by-release", Error,
		"The API server of the release refuses the converted object before it comes to a rule that has a name.",
		"Correct the field that the message names, or convert to another release.")
	LeftoversDoNotFit = rule("leftovers-do-not-fit", Error,
		"What the version has no field for travels in annotations, and they hold 256 KiB.",
		"Convert to a version that has the fields; --validate=false drops it, with a warning.")
	LeftoverIgnored = rule("leftover-ignored", Warning,
		"What an earlier conversion put aside does not belong to this object any more, so it is not put back.",
		"Nothing, when the object was changed since; else take it from the original again.")
	FieldLost = rule("field-lost", Warning,
		"A field has no place in the version, not even beside the object. "+inPlace,
		"Look whether anybody needs it; the original has it still.")
	DeallocationLost = rule("deallocation-would-be-lost", Error,
		"Kubernetes has no deallocationRequested from v1beta1 on, and the driver that was asked would never hear of it.",
		"Let the driver deallocate the claim before, or clear the allocation and the request.")
	ConfigurationTooLarge = rule("configuration-too-large", Error,
		"Kubernetes takes 10,240 bytes of parameters in an entry since 1.32, and a number of entries.",
		"Write less, or let the driver deallocate the claim before.")

	OtherGroup = rule("claim-of-another-group", Warning,
		"A claim is of a group that was not asked for, so it is passed over.",
		"Name its group with --group, or correct it.",
		"objects passed through unconverted for their group")
	MisspeltType = rule("misspelt-type", Error,
		"A kind or a group is nearly that of a claim, and no API server knows it.",
		"Correct it as the message says.")
	UnknownKind = rule("unknown-kind", Warning,
		"A kind is none that resource.k8s.io ever had, so the object is passed over.",
		"Correct the kind, or leave the object out.",
		"objects passed through unconverted for their kind")
	NoVersion = rule("incomplete-api-version", Error,
		"An apiVersion has no group or no version, so nobody knows what claim it is.",
		"Write group and version, as resource.k8s.io/v1.")
	SchedulingObject = rule("scheduling-object", Warning,
		"PodScheduling and PodSchedulingContext are made by the scheduler for the pods that it places, and are gone "+
			"since 1.32.",
		"Leave it out.",
		"objects of the scheduler passed through as they are")
	ResourceSliceInFile = rule("resource-slice", Warning,
		"A ResourceSlice of another version is shaped differently; drivers publish their own.",
		"Leave it out. v1beta2 and v1 have one shape, and there convert writes the apiVersion.",
		"slices passed through as they are")
	ParametersKind = rule("parameters-kind", Warning,
		"ResourceClaimParameters and ResourceClassParameters were there in 1.30 only.",
		"Write what it says into requests, selectors and configuration; attributes have other names since 1.31.",
		"objects of parameters passed through as they are")
	DeviceClassOfAnotherVersion = rule("device-class-version", Warning,
		"A DeviceClass has another version than the claims that name it. Until v1alpha2 claims name a ResourceClass.",
		"Where the fields are the same convert writes the apiVersion; else remove the field, or write the class, "+
			"that the message names.",
		"classes passed through in the version that they have")
	ResourceClassOfAnotherVersion = rule("resource-class-version", Warning,
		"A ResourceClass has another version than the claims that name it. Since v1alpha3 claims name a DeviceClass.",
		"Write the apiVersion, the fields are the same; for v1alpha3 and later write a DeviceClass of that name.",
		"resource classes passed through in the version that they have")
	UnreadParameters = rule("parameters-are-not-read", Warning,
		"A parametersRef names an object that no driver reads since 1.31. "+inPlace,
		"Write what the parameters ask for into spec.devices, of a template spec.spec.devices: a count, selectors, "+
			"the driver's own configuration.",
		"objects keep a parametersRef that no driver reads")
	UnreadHandle = rule("handle-is-not-read", Warning,
		"The data of a classic handle is kept where drivers ignore it. "+inPlace,
		"Unprepare and deallocate the claim before, or use a driver that reads kind ResourceHandle.",
		"objects keep the data of classic handles, which drivers ignore")
	UnreadController = rule("controller-is-not-read", Warning,
		"A claim names the controller that allocates it, and since 1.32 the scheduler allocates all by itself. "+
			inPlace,
		"Nothing, if the driver publishes ResourceSlices; else it cannot be used.",
		"objects keep a controller that nobody reads")
	UnreadAllocator = rule("allocation-by-controller", Warning,
		"A claim was allocated by a controller, and since 1.32 nobody takes that back. "+inPlace,
		"Let the controller deallocate the claim before the upgrade.",
		"objects have allocations that no controller takes back")
	UnreadLeftover = rule("leftover-in-annotation", Warning,
		"What the version has no field for is kept in annotations, where no driver reads it. "+inPlace,
		"Say it in the words of the version, or do without it; converting it back puts it into its fields again.",
		"objects carry in annotations what no driver reads")
	DroppedFields = rule("field-dropped-by-release", Warning,
		"The release does not have a field, or has it behind a feature gate that is off, so its API server drops it.",
		"Leave it out, or turn the feature gate on.",
		"objects have fields that the API server of the release drops")
	AdminAccess = rule("admin-access-needs-label", Warning,
		"Since 1.33 a claim may ask for adminAccess only in a namespace that has a label for it, which has another "+
			"name since 1.34.",
		"Give the namespace the label that the message names. Where the input has the namespace with the right label "+
			"nothing is said, and convert writes the name that the release knows.",
		"objects need a label of their namespace for adminAccess")
	PodClaims = rule("pod-claim-source", Warning,
		"Up to 1.30 a pod names its claims below source, and since 1.31 beside the name.",
		"convert writes the form that the version wants, in pods and in whatever has a template of pods; where it "+
			"cannot, the message says what to write.",
		"objects have pods whose resourceClaims need another form")
	SameObject = rule("same-object", Warning,
		"Two objects of one kind and name in a folder, or in what a kustomization builds, had different versions, "+
			"and have "+
			"one now. kustomize builds no two of these, so that is an error in place; of two that are applied the last "+
			"one counts.",
		"Take one of them away.",
		"objects are there twice, and were of different versions")
	TooManyToCompare = rule("too-many-to-compare", Warning,
		"Objects of the same name, and namespaces that allow adminAccess, are compared after all input is read; at "+
			"most 10,000 of each are.",
		"Convert the input in several runs.")
	CannotBeEdited = rule("cannot-be-edited", Error,
		"The text of a document cannot be edited so that it says what was wanted and nothing else. In its file it is "+
			"left alone; in a stream it is written anew, with a warning that its comments are lost.",
		"Change the document by hand: replace what the message names, such as a merge key or an anchor, with plain "+
			"fields.")
	StrandedComment = rule("stranded-comment", Warning,
		"A comment stood at a field that the version has no place for, and it stays where that was.",
		"Read it, and take it out if it says nothing any more.",
		"documents have comments of fields that the version does not have")

	ClaimOfAnotherVersion = rule("claim-version", Warning,
		"A claim or template has another version than the one that was asked for.",
		"convert writes it in that version.",
		"objects have another version")
	MovedField = rule("moved-field", Warning,
		"A JSON patch or a selector names a field that is elsewhere in the version, or that the version does not have. "+
			inBuild,
		"Write the path that the version has, such as /spec/devices/requests/0/exactly/deviceClassName in v1beta2 "+
			"and v1.",
		"patches and selectors name fields that are elsewhere in the version")
	NamedVersion = rule("named-version", Warning,
		"An object names another version of resource.k8s.io: in the target of a patch, in the rules of a webhook or "+
			"policy, in an object in a text, "+
			"or in a value of a chart. When that version is no longer served, or its objects are converted, it "+
			"matches nothing. "+inBuild,
		"Write the version, or add it to the list, where the message names it.",
		"objects name another version")
)
