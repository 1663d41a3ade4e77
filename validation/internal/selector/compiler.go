package selector

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// deviceType of the variable device.
const deviceType = "kubernetes.DRADevice"

const (
	// maxCompilerText bounds what the compiler says about one expression, in bytes. Two or three errors in an expression
	// that people write fit.
	maxCompilerText = 1024
	// maxCompilerErrors of an expression that are written out: ten of the shortest fill the text.
	maxCompilerErrors = 10
)

// compile tells why an expression is no selector, as Kubernetes 1.31 tells it; the zero value says that it is one. It also
// tells what that weighs. Two compilers have to agree. The environment of the library that schedulers use says what a
// selector may be. But it is that of a later release, which knows functions that 1.31 refuses, so an environment of 1.31 is
// asked first.
//
// 1.31 has neither a limit on the length of an expression, except that CEL parses no more than 100,000 characters, nor
// one on its cost: costs are not estimated. What would cost more than can be afforded is refused before it is compiled.
//
// Some expressions, [?1] for one, make CEL panic. The API server of 1.31 answers with an internal error then and stores
// nothing.
func compile(expression string) (problem Problem, weight int64) {
	weight = weightOfText(expression)
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
		return internal(err), weight
	}
	parsed, issues := of131.Parse(expression)
	if issues != nil {
		weight += weightOfErrors
		if slices.ContainsFunc(issues.Errors(), overNodes) {
			return tooManyNodes, weight
		}
		return doesNotCompile(expression, issues.Errors()), weight
	}
	whole := weigh(parsed.NativeRep().Expr()) + weight
	if whole > maxWeight {
		return tooHeavy(whole), weight + weightOfErrors // for what was parsed to weigh it
	}
	return check(expression, of131, parsed), whole
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

func invalid(detail string) Problem {
	return Problem{Type: field.ErrorTypeInvalid, Detail: bounded(detail)}
}

func internal(err error) Problem {
	return Problem{Type: field.ErrorTypeInternal, Detail: bounded(err.Error())}
}

// doesNotCompile says why, as the compiler does: it draws an arrow below the line at fault. With an expression in one long
// line that would cost more than to compile it, so then there is only the place.
func doesNotCompile(expression string, errs []*common.Error) Problem {
	source := common.NewTextSource(expression)
	slices.SortStableFunc(errs, func(a, b *common.Error) int {
		return cmp.Or(a.Location.Line()-b.Location.Line(), a.Location.Column()-b.Location.Column())
	})
	var all []string
	for _, e := range errs[:min(len(errs), maxCompilerErrors)] {
		if line, _ := source.Snippet(e.Location.Line()); len(line) <= maxCompilerText/4 {
			all = append(all, e.ToDisplayString(source))
		} else {
			all = append(all, fmt.Sprintf("ERROR: %s:%d:%d: %s", source.Description(), e.Location.Line(), e.Location.Column()+1, e.Message))
		}
	}
	return invalid("compilation failed: " + strings.Join(all, "\n"))
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

func bounded(text string) string {
	if len(text) <= maxCompilerText {
		return text
	}
	return strings.ToValidUTF8(text[:maxCompilerText], "") + "..."
}

// environmentOf131 is what Kubernetes 1.31 compiles new selectors in: the functions of 1.30, to which a 1.31 can be
// rolled back, with the device and its semantic versions. It takes some milliseconds to build, so it waits for the
// first expression.
//
// Stored expressions, which 1.31 compiles in a wider environment, make no difference: an update is validated as a
// creation too there (pkg/registry/resource/resourceclaim/strategy.go), so that the narrow one always decides.
var environmentOf131 = sync.OnceValues(func() (*cel.Env, error) {
	const most = 32 // attributes and capacities of a device together; it counts for costs only
	mapOf := func(value *apiservercel.DeclType) *apiservercel.DeclType {
		return apiservercel.NewMapType(apiservercel.StringType, apiservercel.NewMapType(apiservercel.StringType, value, most), most)
	}
	fields := map[string]*apiservercel.DeclField{}
	for name, kind := range map[string]*apiservercel.DeclType{
		"driver":     apiservercel.StringType,
		"attributes": mapOf(apiservercel.AnyType),
		"capacity":   mapOf(apiservercel.QuantityDeclType),
	} {
		fields[name] = apiservercel.NewDeclField(name, kind, true, nil, nil)
	}
	device := apiservercel.NewObjectType(deviceType, fields)
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 30)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("device", device.CelType()),
			library.SemverLib(library.SemverVersion(0)),
			ext.Bindings(ext.BindingsVersion(0)),
			cel.ExpressionNodeLimit(maxNodes),
		},
		DeclTypes: []*apiservercel.DeclType{device},
	})
	if err != nil {
		return nil, err
	}
	return set.NewExpressionsEnv(), nil
})

// environmentOfToday is that of the library that schedulers use.
var environmentOfToday = sync.OnceValues(func() (*cel.Env, error) {
	kind := environment.NewExpressions
	result := dracel.GetCompiler(dracel.Features{}).CompileCELExpression("true", dracel.Options{EnvType: &kind, DisableCostEstimation: true})
	if result.Error != nil {
		return nil, errors.New(result.Error.Detail)
	}
	return result.Environment, nil
})
