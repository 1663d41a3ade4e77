package selector

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// question about an expression.
type question struct {
	expression string
	// release of Kubernetes that is asked, by its minor number.
	release int
	// attribute is set when the expression does not select but derives an attribute.
	attribute bool
}

// compile gives the reason why an expression is no selector, as Kubernetes words it; the zero value
// means that it is one. It also gives what that weighs. Of 1.31 two compilers have to agree. The
// environment of the library that schedulers use says what a selector may be. But it is that of a
// later release, which knows functions that 1.31 refuses, so an environment of 1.31 is asked first.
//
// 1.31 has neither a limit on the length of an expression, except that CEL parses no more than 100,000 characters, nor
// one on its cost: costs are not estimated. What would cost more than can be afforded is refused before it is compiled.
//
// Some expressions, [?dyn(1)]==[] for one, make CEL panic, in functions that it evaluates
// beforehand since they have constant arguments. The API server of 1.31 answers with an internal
// error then and stores nothing. They weigh what they weigh all the same, and as much as any may if
// CEL panics before that is known: nobody knows what the compiler had done by then.
func compile(q question) (problem Problem, weight int64) {
	expression := q.expression
	weight = maxWeight //nolint:wastedassign // it is what a panic leaves
	defer func() {
		if recover() != nil {
			problem = invalid("compilation failed: the compiler breaks down over this expression")
		}
	}()
	if len(expression) > MaxLength {
		return tooLong(len(expression)), weightOfNothing
	}
	env, err := environmentOf(q.release)
	if err != nil {
		return internal(err), weightOfNothing
	}
	text := weightOfText(expression)
	parsed, issues := env.Parse(expression)
	if issues != nil {
		if slices.ContainsFunc(issues.Errors(), overNodes) {
			return tooManyNodes, text + weightOfErrors
		}
		return doesNotCompile(expression, issues.Errors()), text + weightOfErrors
	}
	whole := weigh(parsed.NativeRep().Expr(), q.release) + text
	if whole > maxWeight {
		return tooHeavy(whole), text + weightOfErrors // for what was parsed to weigh it
	}
	weight = whole // also if the compiler panics
	return check(q, env, parsed), weight
}

func overNodes(e *common.Error) bool {
	return strings.HasPrefix(e.Message, "expression count exceeds limit")
}

// check what was parsed, and is not too heavy.
func check(q question, env *cel.Env, parsed *cel.Ast) Problem {
	checked, issues := env.Check(parsed)
	if issues != nil {
		return doesNotCompile(q.expression, issues.Errors())
	}
	if problem := newerCEL(q, checked); problem.Type != "" {
		return problem
	}
	if q.release == oldest {
		today, err := environmentOfToday()
		if err != nil {
			return internal(err)
		}
		// The library's own function for this would do the same, but quote the whole line with each
		// of up to 100 errors, one character after the other: 1.4 GB for 6 KB of optMap.
		if checked, issues = today.Compile(q.expression); issues != nil {
			return doesNotCompile(q.expression, issues.Errors())
		}
		env = today
	}
	if !q.gives(checked.OutputType()) {
		return invalid(q.wants() + ", not " + checked.OutputType().String())
	}
	// The program compiles regular expressions, which is where find and findAll refuse theirs.
	if _, err := env.Program(checked); err != nil {
		return Problem{Type: field.ErrorTypeInternal, Detail: bounded("program instantiation failed: " + err.Error())}
	}
	if q.release == oldest {
		return Problem{}
	}
	return cost(q, env, checked)
}

// cost of an expression that is fine otherwise.
func cost(q question, env *cel.Env, checked *cel.Ast) Problem {
	estimate, err := env.EstimateCost(checked, estimator(q.release))
	if err != nil {
		return internal(err)
	}
	if estimate.Max > MaxCost {
		return Problem{
			Type:   field.ErrorTypeForbidden,
			Detail: "too complex, exceeds cost limit",
			Costly: true,
			Cost:   estimate.Max,
		}
	}
	return Problem{Cost: estimate.Max}
}

// gives reports whether an expression may be of a type: of a selector true or false, of an
// attribute what attributes are. What a device has is of any type.
func (q question) gives(output *cel.Type) bool {
	is := output.IsExactType
	if is(cel.BoolType) || is(cel.AnyType) {
		return true
	}
	return q.attribute && (is(cel.IntType) || is(cel.StringType) || is(cel.DynType) || is(semverType))
}

func (q question) wants() string {
	if q.attribute {
		return "must evaluate to a primitive scalar (string, integer, boolean, semver)"
	}
	return "must evaluate to bool or the unknown type"
}

// laterFunctions by their overloads, with the name in an expression. Optional types bring them along unasked.
var laterFunctions = map[string]string{
	"list_first": "first", "list_last": "last", "optional_unwrap": "optional.unwrap", "optional_unwrapOpt": "unwrapOpt",
}

// newerCEL finds what CEL itself has learned since a release of Kubernetes, which no option of an
// environment can take away again.
func newerCEL(q question, ast *cel.Ast) Problem {
	if output := ast.OutputType().String(); output == "wrapper(bool)" && q.release <= 36 {
		return invalid(q.wants() + ", not " + output)
	}
	references := ast.NativeRep().ReferenceMap()
	for _, id := range slices.Sorted(maps.Keys(references)) {
		reference := references[id]
		if reference.Name == deviceType && q.release <= 31 {
			return invalid("compilation failed: '" + deviceType + "' is not a type")
		}
		for _, overload := range reference.OverloadIDs {
			if name := laterFunctions[overload]; name != "" && q.release <= 32 {
				return invalid("compilation failed: undeclared reference to '" + name + "'")
			}
		}
	}
	if strings.Contains(q.expression, "`") && q.release <= 36 {
		// around the name of a field; in a string it stays what it was
		without, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true),
			parser.EnableIdentEscapeSyntax(false))
		if err != nil {
			return internal(err)
		}
		if _, errs := without.Parse(common.NewTextSource(q.expression)); len(errs.GetErrors()) > 0 {
			return doesNotCompile(q.expression, errs.GetErrors())
		}
	}
	return Problem{}
}
