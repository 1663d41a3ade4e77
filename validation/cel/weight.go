package cel

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A weight is an upper estimate of the bytes that compiling an expression allocates. Unlike time, allocations can be
// counted exactly. Time is proportional to them: the compiler takes about 2 ns of a core for each byte. Tests compare
// the allocations of all kinds of expressions with their weight.
const (
	// MaxLength is the maximum length of an expression in bytes, the limit of Kubernetes since 1.32.
	MaxLength = 10 * 1024
	// MaxCost is the maximum cost of an expression, and of all derived attributes of a claim together, by CEL's
	// estimate: the limit of Kubernetes since 1.32.
	MaxCost = 1_000_000
	// maxNodes is the maximum number of nodes of an expression. An expression of 10 KiB has at most 5,000, but some
	// macros repeat their operand, and ten nested ones in two hundred bytes have thousands.
	maxNodes = 4096
	// maxWeight is the maximum weight of one expression, about an eighth of a second. Typical expressions weigh less
	// than 1 MiB, and sixteen comparisons of attributes 7 MiB.
	maxWeight = 64 << 20
	// maxWeightOfChecker limits all expressions of a write together: 1,024 selectors of a megabyte each, such as 32 in
	// each of 32 requests. In all tests, that took at most about a second, because most expressions allocate half of
	// their weight.
	maxWeightOfChecker = 1 << 30

	// minWeight is the weight of "true", which is mostly setup.
	minWeight = 96 << 10
	// weightOfByte is the weight of parsing a byte of an expression once.
	weightOfByte = 2560
	// weightOfErrors is the weight of the recovery from parsing errors and of their messages.
	weightOfErrors = 3 << 20
	// weightOfNode is the weight of a node without its type, which is parsed twice, checked twice and planned once.
	weightOfNode = 11 << 10
	// weightOfCandidate is the weight of comparing one overload of a function with a call.
	weightOfCandidate = 1 << 10
	// weightOfVariable is the weight of copying a type variable, which both checks do for every candidate.
	weightOfVariable = 2 * 120
	// weightOfType is the weight of looking up a type of one word, which happens several times for each node.
	weightOfType = 64
)

// weightOfText returns the weight of parsing an expression once.
func weightOfText(expression string) int64 { return minWeight + weightOfByte*int64(len(expression)) }

func tooLong(length int) Result {
	return exceedsLimit(field.ErrorTypeTooLong,
		fmt.Sprintf("has %d bytes; claimbridge compiles at most %d, as Kubernetes since 1.32: %s", length, MaxLength,
			splitSelector))
}

func (s source) tooManyNodes() Result {
	return exceedsLimit(field.ErrorTypeInvalid,
		fmt.Sprintf("has more than %d operators, calls and values after its macros are expanded, the limit of "+
			"claimbridge: %s, and do not chain optMap", maxNodes, s.remedy()))
}

func (s source) tooHeavy(weight int64) Result {
	return exceedsLimit(field.ErrorTypeInvalid,
		fmt.Sprintf("compiling it may need %d MiB of memory, the limit of claimbridge is %d MiB: %s, write \"in\" and a "+
			"list for many comparisons, nest lists and maps less, and repeat less in regular expressions",
			max(weight>>20, maxWeight>>20+1), maxWeight>>20, s.remedy()))
}

const splitSelector = "split it into several selectors, all of which must be true"

// remedy returns how to correct a large expression. A derived attribute has one expression, which cannot be split.
func (s source) remedy() string {
	if s.isAttribute {
		return "shorten the expression"
	}
	return splitSelector
}

var exceedsTotalWeight = exceedsLimit(field.ErrorTypeInvalid,
	fmt.Sprintf("compiling this expression and those before it in the object may need more than %d MiB of memory, the "+
		"limit of claimbridge for an object: use fewer or simpler expressions, or the same ones in all requests",
		maxWeightOfChecker>>20))

// weightCounter counts the operations of the type checker for an expression.
type weightCounter struct {
	functions map[string]function
	nodes     int64
	// candidates counts overloads that are compared with calls. For each of them, all type variables known so far are
	// copied; copies counts these copies.
	candidates, variables, copies int64
	// wraps and maps count the places where a type can become deeper. A map has two types, so each nested map doubles
	// the length of the text of the type.
	wraps, maps int64
	// patterns is the weight of the constant regular expressions.
	patterns int64
}

// weigh returns the weight of a parsed expression with the functions of a release.
func weigh(e ast.Expr, release int) int64 {
	w := &weightCounter{functions: functionsOf(release)}
	w.countExpression(e, false)
	// The deepest type of the device is a map of maps.
	depth := 3 + w.wraps + w.maps
	size := depth << min(w.maps, 12)
	if depth > 100 || w.maps > 12 {
		return maxWeight + 1 // the next lines would overflow
	}
	types := weightOfType * (size + size*depth*depth/8)
	return w.nodes*(weightOfNode+types) + w.candidates*weightOfCandidate + w.copies*weightOfVariable + w.patterns
}

func (w *weightCounter) countExpression(e ast.Expr, isPattern bool) {
	w.nodes++
	switch e.Kind() {
	case ast.LiteralKind:
		if isPattern {
			w.countPattern(e.AsLiteral().Value())
		}
	case ast.SelectKind:
		w.countExpression(e.AsSelect().Operand(), isPattern)
	case ast.CallKind:
		w.countCall(e.AsCall(), isPattern)
	case ast.ListKind:
		w.countList(e.AsList(), isPattern)
	case ast.MapKind:
		w.countMap(e.AsMap(), isPattern)
	case ast.StructKind:
		for _, f := range e.AsStruct().Fields() {
			w.countExpression(f.AsStructField().Value(), isPattern)
			w.countComparisons(1, 0)
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		for _, part := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
			w.countExpression(part, isPattern)
		}
		w.countComparisons(3, 0)
	}
}

// countComparisons counts the comparisons of a call with overloads, which add type variables.
func (w *weightCounter) countComparisons(candidates, variables int64) {
	w.variables += variables
	w.candidates += candidates
	w.copies += candidates * (w.variables + 1)
}

func (w *weightCounter) countCall(c ast.CallExpr, isPattern bool) {
	name := c.FunctionName()
	if c.IsMemberFunction() {
		w.countExpression(c.Target(), isPattern)
		if c.Target().Kind() == ast.IdentKind { // optional.of may be a function or the method of a variable
			w.countFunction(c.Target().AsIdent() + "." + name)
		}
	}
	for _, argument := range c.Args() {
		w.countExpression(argument, isPattern || patternFunctions[name])
	}
	w.countFunction(name)
	w.countComparisons(int64(len(c.Args())), 0) // for && and ||, which have any number of arguments
}

func (w *weightCounter) countFunction(name string) {
	f := w.functions[name]
	w.countComparisons(f.candidates, f.variables)
	if f.wraps {
		w.wraps++
	}
}

// countList counts a list, whose type is deeper than that of its items unless they are constants.
func (w *weightCounter) countList(l ast.ListExpr, isPattern bool) {
	isConstant := true
	for _, item := range l.Elements() {
		w.countExpression(item, isPattern)
		isConstant = isConstant && item.Kind() == ast.LiteralKind
		w.countComparisons(1, 0)
	}
	if !isConstant {
		w.wraps++
	}
	w.countComparisons(0, 1)
}

func (w *weightCounter) countMap(m ast.MapExpr, isPattern bool) {
	isConstant := true
	for _, e := range m.Entries() {
		entry := e.AsMapEntry()
		w.countExpression(entry.Key(), isPattern)
		w.countExpression(entry.Value(), isPattern)
		isConstant = isConstant && entry.Key().Kind() == ast.LiteralKind && entry.Value().Kind() == ast.LiteralKind
		w.countComparisons(2, 0)
	}
	if !isConstant {
		w.maps++
	}
	w.countComparisons(0, 2)
}
