// Package cel compiles the CEL expressions of a claim, its selectors and derived attributes, as a
// release of Kubernetes does, within limits of memory and time.
//
// A typical expression compiles in half a millisecond. Any user who can create a claim controls the
// input of the compiler, and some short expressions keep it busy for minutes: its work grows with
// the square of the number of operators and with the fourth power of the nesting depth, doubles
// with each map within a map, and a regular expression can ask for millions of instructions. An API
// server has the same problem and more processors; a webhook that is busy blocks all writes of
// claims. Therefore:
//
//   - An expression has at most [MaxLength] bytes, in every release.
//   - It has at most 4,096 nodes once its macros are expanded (maxNodes).
//   - Its weight, an upper bound of the bytes that compiling it allocates, is computed from the
//     parsed expression, in time proportional to its length, before it is type-checked. It is at
//     most 64 MiB (maxWeight), which is about an eighth of a second.
//   - All expressions of one write, which share a [Checker], weigh at most 1 GiB (maxWeightOfChecker).
//   - The process compiles one expression at a time. At most 32 writes wait for that (maxWaiting); the
//     next one gets [ErrBusy].
//   - The results of 1,024 expressions are cached (maxCached), so that updates of a claim do not
//     compile its expressions again. A cached expression weighs the same, so that no result depends
//     on earlier requests.
//   - The compiler's message about one expression is cut to 1,024 bytes (maxCompilerText).
//
// An expression that exceeds these limits has a [Result] with ExceedsLimit set. Kubernetes 1.31, which limits neither
// length nor cost, may accept it.
package cel
