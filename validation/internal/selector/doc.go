// Package selector judges the CEL expressions that select devices: whether a release of Kubernetes would compile them,
// and whether we can afford to.
//
// What people write compiles in half a millisecond. But the compiler is a program that any user who may
// create a claim can feed, and some short texts keep it busy for minutes: its work grows with the
// square of the operators, with the fourth power of nesting, doubles with each map within a map,
// and a regular expression can ask for millions of instructions. So each expression is weighed once
// it is parsed, which takes time in proportion to its length, and before anything else happens to
// it. One expression has a limit, the expressions of one write together have another, and one
// expression of the whole process is compiled at a time.
package selector
