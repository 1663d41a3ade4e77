// Package leftover holds what one side of a step can say and the other cannot, on its way beside an object: where it travels,
// how it is recognised, and what is done where it does not fit.
//
// Going down, the spec part is in an annotation of the client's copy, the status part in status.claimbridgeLeftover and, as a
// second, in the annotation. Each says by a digest which content it completes.
package leftover
