package validation

// ownRules are claimbridge's own, for every version. They look at the
// write as it would be stored. They are asked only when upstream's rules accept, one after the other until one refuses:
// what is wrong with a leftover usually shows in several places, and the first rule of this order names the cause.
var ownRules = []Rule{
	incompleteCopyIsNotWrittenBack,
	nestingIsBounded,
	numbersAreReadable,
	leftoverIsWellFormed,
	storedSpecIsUnchanged,
	storedStatusIsUnchanged,
	storedAllocationIsUnchanged,
	droppedIsUnchanged,
	storedContentIsValid,
	unshareableHasOneConsumer,
	deallocationRequestIsKept,
}
