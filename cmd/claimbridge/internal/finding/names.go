package finding

// The rules, in the order in which more of them are counted at the end.
const (
	UnreadableFile Rule = iota
	SkippedFile
	UnreadableDocument
	HelmTemplate
	ObjectWithoutType

	UnknownField
	DuplicateField
	FieldOfAnotherVersion
	StrategicMergePatch
	WrongType
	UnknownVersion
	CannotBeConverted
	MetadataIsInvalid
	RefusedByRelease
	LeftoversDoNotFit
	LeftoverIgnored
	FieldLost
	DeallocationLost
	ConfigurationTooLarge

	OtherGroup
	MisspeltType
	UnknownKind
	NoVersion
	SchedulingObject
	ResourceSliceInFile
	ParametersKind
	DeviceClassOfAnotherVersion
	ResourceClassOfAnotherVersion
	UnreadParameters
	UnreadHandle
	UnreadController
	UnreadAllocator
	UnreadLeftover
	DroppedFields
	AdminAccess
	PodClaims
	Classes
	SameObject
	TooManyToCompare
	CannotBeEdited
	StrandedComment

	ClaimOfAnotherVersion
	ParametersObject
	RoleOfRemovedResource
	RulesOfAnotherVersion
	ExpressionOfMovedField
	KyvernoKind
	KustomizeTarget
	KustomizePatch
	InnerObject
	NamedVersion
	TextMention
	UnsearchedText
	Count int = iota
)
