package selector

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A weight is an upper bound of the bytes that compiling an expression allocates. That can be counted exactly, which
// seconds cannot, and it goes with them: the compiler takes about 2 ns of a core for each byte. Tests hold what
// expressions of all kinds really allocate against their weight.
const (
	// MaxLength of an expression in bytes: the limit that Kubernetes got in 1.32.
	MaxLength = 10 * 1024
	// MaxCost of an expression, and of all derived attributes of a claim, by CEL's estimate: the
	// limit of 1.32 and later.
	MaxCost = 1_000_000
	// maxNodes of an expression. 10 KiB hold 5,000 at most, but some macros repeat what they are called on, and ten in
	// a row make thousands of two hundred bytes.
	maxNodes = 4096
	// maxWeight of one expression, about an eighth of a second. What people write weighs less than 1 MiB, with sixteen
	// comparisons of attributes 7 MiB.
	maxWeight = 64 << 20
	// maxWeightOfWrite is for all expressions of a write together: 1,024 selectors, as many as a claim can have, of a
	// megabyte each. It is about a second for all that was tried, since most expressions cost half of what they weigh.
	maxWeightOfWrite = 1 << 30

	// weightOfNothing is what "true" weighs, most of it set-up.
	weightOfNothing = 96 << 10
	// weightOfErrors is what CEL's parser spends on finding its way again, some times at most, and on the words.
	weightOfErrors = 3 << 20
	// weightOfNode in bytes, without its type: parsed twice, checked twice, planned once.
	weightOfNode = 11 << 10
	// weightOfCandidate is what one overload of a function costs that is compared with a call.
	weightOfCandidate = 1 << 10
	// weightOfVariable of a type, each time that the known ones are copied, which every candidate does, in both checks.
	weightOfVariable = 2 * 120
	// weightOfType is what a type of one word costs each time that it is looked up, which happens some times a node.
	weightOfType = 64
)

// weightOfText is what it costs to parse it once.
func weightOfText(expression string) int64 { return weightOfNothing + 5<<9*int64(len(expression)) }

func tooLong(length int) Problem {
	return unaffordable(field.ErrorTypeTooLong,
		fmt.Sprintf("has %d bytes, and claimbridge compiles at most %d, as Kubernetes does from "+
			"1.32 on: split it into several selectors, all of which have to be true", length, MaxLength))
}

var tooManyNodes = unaffordable(field.ErrorTypeInvalid,
	fmt.Sprintf("has more than %d operators, calls and values once its macros are expanded, "+
		"and claimbridge compiles no more: split it into several selectors, all of which have to be true, and do not "+
		"chain optMap", maxNodes))

func tooHeavy(weight int64) Problem {
	return unaffordable(field.ErrorTypeInvalid,
		fmt.Sprintf("to compile it can take %d MiB of memory, and claimbridge spends at most %d on an "+
			"expression: split it into several selectors, all of which have to be true, write \"in\" and a list for "+
			"many comparisons, nest lists "+
			"and maps less, and repeat less in regular expressions", max(weight>>20, maxWeight>>20+1), maxWeight>>20))
}

var tooMuchTogether = unaffordable(field.ErrorTypeInvalid,
	fmt.Sprintf("to compile this and the selectors before it can take more than %d MiB of "+
		"memory, which claimbridge does not spend on one object: use fewer or simpler selectors, or the same ones in "+
		"all requests", maxWeightOfWrite>>20))

// work that an expression makes, by what the type checker does.
type work struct {
	functions map[string]function
	nodes     int64
	// candidates are overloads that are compared with calls; for each of them all type variables are copied that are
	// known by then, which is what copies counts.
	candidates, variables, copies int64
	// wraps and maps are the places where a type can become deeper. A map has two types, so that each map in a map
	// doubles how long the type is when it is written out.
	wraps, maps int64
	// patterns is the weight of constant regular expressions.
	patterns int64
}

// weigh a parsed expression, by the functions of a release.
func weigh(e ast.Expr, release int) int64 {
	w := &work{functions: functionsOf(release)}
	w.expression(e, false)
	// The deepest type of the device is a map of maps.
	depth := 3 + w.wraps + w.maps
	size := depth << min(w.maps, 12)
	if depth > 100 || w.maps > 12 {
		return maxWeight + 1 // far beyond, and beyond what the next lines can count
	}
	types := weightOfType * (size + size*depth*depth/8)
	return w.nodes*(weightOfNode+types) + w.candidates*weightOfCandidate + w.copies*weightOfVariable + w.patterns
}

func (w *work) expression(e ast.Expr, pattern bool) {
	w.nodes++
	switch e.Kind() {
	case ast.LiteralKind:
		if pattern {
			w.pattern(e.AsLiteral().Value())
		}
	case ast.SelectKind:
		w.expression(e.AsSelect().Operand(), pattern)
	case ast.CallKind:
		w.call(e.AsCall(), pattern)
	case ast.ListKind:
		w.list(e.AsList(), pattern)
	case ast.MapKind:
		w.mapping(e.AsMap(), pattern)
	case ast.StructKind:
		for _, f := range e.AsStruct().Fields() {
			w.expression(f.AsStructField().Value(), pattern)
			w.compare(1, 0)
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		for _, part := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
			w.expression(part, pattern)
		}
		w.compare(3, 0)
	}
}

// compare a call with overloads, which brings type variables.
func (w *work) compare(candidates, variables int64) {
	w.variables += variables
	w.candidates += candidates
	w.copies += candidates * (w.variables + 1)
}

func (w *work) call(c ast.CallExpr, pattern bool) {
	name := c.FunctionName()
	if c.IsMemberFunction() {
		w.expression(c.Target(), pattern)
		if c.Target().Kind() == ast.IdentKind { // optional.of may be a function, or the method of a variable
			w.function(c.Target().AsIdent() + "." + name)
		}
	}
	for _, argument := range c.Args() {
		w.expression(argument, pattern || takesPattern[name])
	}
	w.function(name)
	w.compare(int64(len(c.Args())), 0) // of && and ||, which have any number of arguments
}

func (w *work) function(name string) {
	f := w.functions[name]
	w.compare(f.candidates, f.variables)
	if f.wraps {
		w.wraps++
	}
}

// list of items, which makes a deeper type of theirs; constants have flat ones.
func (w *work) list(l ast.ListExpr, pattern bool) {
	flat := true
	for _, item := range l.Elements() {
		w.expression(item, pattern)
		flat = flat && item.Kind() == ast.LiteralKind
		w.compare(1, 0)
	}
	if !flat {
		w.wraps++
	}
	w.compare(0, 1)
}

func (w *work) mapping(m ast.MapExpr, pattern bool) {
	flat := true
	for _, e := range m.Entries() {
		entry := e.AsMapEntry()
		w.expression(entry.Key(), pattern)
		w.expression(entry.Value(), pattern)
		flat = flat && entry.Key().Kind() == ast.LiteralKind && entry.Value().Kind() == ast.LiteralKind
		w.compare(2, 0)
	}
	if !flat {
		w.maps++
	}
	w.compare(0, 2)
}
