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

// compile gives the reason why an expression is no selector, as Kubernetes 1.31 words it; the zero value means that it is one.
// It also gives what that weighs. Two compilers have to agree. The environment of the library that schedulers use says what a
// selector may be. But it is that of a later release, which knows functions that 1.31 refuses, so an environment of 1.31 is
// asked first.
//
// 1.31 has neither a limit on the length of an expression, except that CEL parses no more than 100,000 characters, nor
// one on its cost: costs are not estimated. What would cost more than can be afforded is refused before it is compiled.
//
// Some expressions, [?dyn(1)]==[] for one, make CEL panic. The API server of 1.31 answers with an internal error then and
// stores nothing. They weigh what they weigh all the same, and as much as any may if CEL panics before that is known.
func compile(expression string) (problem Problem, weight int64) {
	weight = maxWeight //nolint:wastedassign // it is what a panic leaves
	defer func() {
		if recover() != nil {
			problem = invalid("compilation failed: the compiler breaks down over this expression")
		}
	}()
	if len(expression) > maxLength {
		return tooLong(len(expression)), weightOfNothing
	}
	of131, err := environmentOf131()
	if err != nil {
		return internal(err), weightOfNothing
	}
	text := weightOfText(expression)
	parsed, issues := of131.Parse(expression)
	if issues != nil {
		if slices.ContainsFunc(issues.Errors(), overNodes) {
			return tooManyNodes, text + weightOfErrors
		}
		return doesNotCompile(expression, issues.Errors()), text + weightOfErrors
	}
	whole := weigh(parsed.NativeRep().Expr()) + text
	if whole > maxWeight {
		return tooHeavy(whole), text + weightOfErrors // for what was parsed to weigh it
	}
	weight = whole // also if the compiler panics
	return check(expression, of131, parsed), weight
}

func overNodes(e *common.Error) bool {
	return strings.HasPrefix(e.Message, "expression count exceeds limit")
}

// check what was parsed, and is not too heavy.
func check(expression string, of131 *cel.Env, parsed *cel.Ast) Problem {
	checked, issues := of131.Check(parsed)
	if issues != nil {
		return doesNotCompile(expression, issues.Errors())
	}
	if problem := newerCEL(expression, checked); problem.Type != "" {
		return problem
	}
	today, err := environmentOfToday()
	if err != nil {
		return internal(err)
	}
	// The library's own function for this would do the same, but quote the whole line with each of up to 100 errors, one
	// character after the other: 1.4 GB for 6 KB of optMap.
	if checked, issues = today.Compile(expression); issues != nil {
		return doesNotCompile(expression, issues.Errors())
	}
	if output := checked.OutputType(); !output.IsExactType(cel.BoolType) && !output.IsExactType(cel.AnyType) {
		return invalid("must evaluate to bool or the unknown type, not " + output.String())
	}
	// The program compiles regular expressions, which is where find and findAll refuse theirs.
	if _, err := today.Program(checked); err != nil {
		return Problem{Type: field.ErrorTypeInternal, Detail: bounded("program instantiation failed: " + err.Error())}
	}
	return Problem{}
}

// laterFunctions by their overloads, with the name in an expression. Optional types bring them along unasked.
var laterFunctions = map[string]string{
	"list_first": "first", "list_last": "last", "optional_unwrap": "optional.unwrap", "optional_unwrapOpt": "unwrapOpt",
}

// newerCEL finds what CEL itself has learned since Kubernetes 1.31, which no option of an environment can take away
// again.
func newerCEL(expression string, ast *cel.Ast) Problem {
	if output := ast.OutputType().String(); output == "wrapper(bool)" {
		return invalid("must evaluate to bool or the unknown type, not " + output)
	}
	references := ast.NativeRep().ReferenceMap()
	for _, id := range slices.Sorted(maps.Keys(references)) {
		reference := references[id]
		if reference.Name == deviceType {
			return invalid("compilation failed: '" + deviceType + "' is not a type")
		}
		for _, overload := range reference.OverloadIDs {
			if name := laterFunctions[overload]; name != "" {
				return invalid("compilation failed: undeclared reference to '" + name + "'")
			}
		}
	}
	if strings.Contains(expression, "`") { // around the name of a field; in a string it stays what it was
		without, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true),
			parser.EnableIdentEscapeSyntax(false))
		if err != nil {
			return internal(err)
		}
		if _, errs := without.Parse(common.NewTextSource(expression)); len(errs.GetErrors()) > 0 {
			return doesNotCompile(expression, errs.GetErrors())
		}
	}
	return Problem{}
}
