package cel

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// source is an expression, with the release and the kind that determine how it is compiled.
type source struct {
	expression string
	// release of Kubernetes, by its minor number.
	release int
	// isAttribute is set for the expression of a derived attribute, and unset for that of a selector.
	isAttribute bool
}

// compile returns the result for an expression, in Kubernetes' words, and its weight. A result without a type means
// that the expression compiles. For 1.31 two compilers have to accept it: an environment of 1.31, and then that of the
// library that schedulers use, which is of a later release and has functions that 1.31 rejects.
//
// 1.31 limits neither the length of an expression, except that CEL parses at most 100,000 characters, nor its cost,
// which it does not estimate. An expression that is too heavy is rejected before it is compiled.
//
// Some expressions, such as [?dyn(1)]==[], make CEL panic in functions that it evaluates early because their arguments
// are constant. The API server of 1.31 responds with an internal error and stores nothing. Such an expression has its
// usual weight, or the maximum when CEL panics before the weight is known.
func compile(s source) (result Result, weight int64) {
	expression := s.expression
	weight = maxWeight //nolint:wastedassign // returned after a panic
	defer func() {
		if recover() != nil {
			result = invalid("compilation failed: the CEL compiler panics on this expression; simplify it")
		}
	}()
	if len(expression) > MaxLength {
		return tooLong(len(expression)), minWeight
	}
	env, err := environmentOf(s.release)
	if err != nil {
		return internal(err), minWeight
	}
	text := weightOfText(expression)
	parsed, issues := env.Parse(expression)
	if issues != nil {
		if slices.ContainsFunc(issues.Errors(), exceedsNodes) {
			return s.tooManyNodes(), text + weightOfErrors
		}
		return doesNotCompile(expression, issues.Errors()), text + weightOfErrors
	}
	total := weigh(parsed.NativeRep().Expr(), s.release) + text
	if total > maxWeight {
		return s.tooHeavy(total), text + weightOfErrors // the expression was parsed to weigh it
	}
	weight = total // also after a panic of the compiler
	return check(s, env, parsed), weight
}

func exceedsNodes(e *common.Error) bool {
	return strings.HasPrefix(e.Message, "expression count exceeds limit")
}

// check type-checks a parsed expression whose weight is within the limit.
func check(s source, env *cel.Env, parsed *cel.Ast) Result {
	checked, issues := env.Check(parsed)
	if issues != nil {
		return doesNotCompile(s.expression, issues.Errors())
	}
	if result := rejectNewerFeatures(s, checked); result.Type != "" {
		return result
	}
	if s.release == oldest {
		scheduler, err := schedulerEnvironment()
		if err != nil {
			return internal(err)
		}
		// The library's own function does the same, but quotes the whole line with each of up to 100
		// errors, one character at a time: 1.4 GB for 6 KB of optMap.
		if checked, issues = scheduler.Compile(s.expression); issues != nil {
			return doesNotCompile(s.expression, issues.Errors())
		}
		env = scheduler
	}
	if !s.allows(checked.OutputType()) {
		return invalid(s.requirement() + ", not " + checked.OutputType().String())
	}
	// The program compiles regular expressions. This is where find and findAll reject invalid ones.
	if _, err := env.Program(checked); err != nil {
		return Result{Type: field.ErrorTypeInternal, Detail: truncate("program instantiation failed: " + err.Error())}
	}
	if s.release == oldest {
		return Result{}
	}
	return checkCost(s, env, checked)
}

// checkCost returns the estimated cost of an expression that compiles, or an error if it is too high.
func checkCost(s source, env *cel.Env, checked *cel.Ast) Result {
	estimate, err := env.EstimateCost(checked, estimator(s.release))
	if err != nil {
		return internal(err)
	}
	if estimate.Max > MaxCost {
		return Result{
			Type:        field.ErrorTypeForbidden,
			Detail:      "too complex, exceeds cost limit",
			ExceedsCost: true,
			Cost:        estimate.Max,
		}
	}
	return Result{Cost: estimate.Max}
}

// allows reports whether an expression may have a type: a selector is a boolean, a derived attribute has one of the
// types of attributes. The attributes of a device are of any type.
func (s source) allows(output *cel.Type) bool {
	isType := output.IsExactType
	if isType(cel.BoolType) || isType(cel.AnyType) {
		return true
	}
	return s.isAttribute && (isType(cel.IntType) || isType(cel.StringType) || isType(cel.DynType) || isType(semverType))
}

func (s source) requirement() string {
	if s.isAttribute {
		return "must evaluate to a primitive scalar (string, integer, boolean, semver)"
	}
	return "must evaluate to bool or the unknown type"
}

// laterFunctions are the names of functions, by their overloads, that the current optional types add.
var laterFunctions = map[string]string{
	"list_first": "first", "list_last": "last", "optional_unwrap": "optional.unwrap", "optional_unwrapOpt": "unwrapOpt",
}

// rejectNewerFeatures rejects features of a later version of CEL than the release of Kubernetes has, if no option of
// the environment turns them off.
func rejectNewerFeatures(s source, ast *cel.Ast) Result {
	if output := ast.OutputType().String(); output == "wrapper(bool)" && s.release <= 36 {
		return invalid(s.requirement() + ", not " + output)
	}
	references := ast.NativeRep().ReferenceMap()
	for _, id := range slices.Sorted(maps.Keys(references)) {
		reference := references[id]
		if reference.Name == deviceType && s.release <= 31 {
			return invalid("compilation failed: '" + deviceType + "' is not a type")
		}
		for _, overload := range reference.OverloadIDs {
			if name := laterFunctions[overload]; name != "" && s.release <= 32 {
				return invalid("compilation failed: undeclared reference to '" + name + "'")
			}
		}
	}
	if strings.Contains(s.expression, "`") && s.release <= 36 {
		// Backquotes around the name of a field are new; in a string they are not.
		olderParser, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true),
			parser.EnableIdentEscapeSyntax(false))
		if err != nil {
			return internal(err)
		}
		if _, errs := olderParser.Parse(common.NewTextSource(s.expression)); len(errs.GetErrors()) > 0 {
			return doesNotCompile(s.expression, errs.GetErrors())
		}
	}
	return Result{}
}
