package validation

import (
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

// maxCompilerText bounds what the compiler says about one expression, in bytes. It quotes the line at fault with each
// of up to 100 errors, and an expression may be one line of 100,000 characters. Two or three errors in an expression
// that people write fit.
const maxCompilerText = 1024

// compileSelector tells why an expression is no selector, as Kubernetes 1.31 tells it; the zero value says that it is
// one. Two compilers have to agree. The library that schedulers use says what a selector may evaluate to. But it is that
// of a later release, which knows functions that 1.31 refuses, so an environment of 1.31 is asked first.
//
// 1.31 has neither a limit on the length of an expression, except that CEL parses no more than 100,000 characters, nor
// one on its cost: costs are not estimated.
//
// Some expressions, [?1] for one, make CEL panic. The API server of 1.31 answers with an internal error then and stores
// nothing.
func compileSelector(expression string) (problem expressionProblem) {
	defer func() {
		if recover() != nil {
			problem = doesNotCompile("the compiler breaks down over this expression")
		}
	}()
	of131, err := environmentOf131()
	if err != nil {
		return expressionProblem{field.ErrorTypeInternal, bounded(err.Error())}
	}
	ast, issues := of131.Compile(expression)
	if issues != nil {
		return doesNotCompile(issues.String())
	}
	if problem := newerCEL(expression, ast); problem.kind != "" {
		return problem
	}
	kind := environment.NewExpressions
	result := dracel.GetCompiler(dracel.Features{}).CompileCELExpression(expression, dracel.Options{
		EnvType: &kind, DisableCostEstimation: true,
	})
	switch {
	case result.Error == nil:
		return expressionProblem{}
	case result.Error.Type == apiservercel.ErrorTypeInvalid:
		return expressionProblem{field.ErrorTypeInvalid, bounded(result.Error.Detail)}
	}
	return expressionProblem{field.ErrorTypeInternal, bounded(result.Error.Detail)}
}

func doesNotCompile(why string) expressionProblem {
	return expressionProblem{field.ErrorTypeInvalid, bounded("compilation failed: " + why)}
}

// laterFunctions by their overloads, with the name in an expression. Optional types bring them along unasked.
var laterFunctions = map[string]string{
	"list_first": "first", "list_last": "last", "optional_unwrap": "optional.unwrap", "optional_unwrapOpt": "unwrapOpt",
}

// newerCEL finds what CEL itself has learned since Kubernetes 1.31, which no option of an environment can take away
// again.
func newerCEL(expression string, ast *cel.Ast) expressionProblem {
	if output := ast.OutputType().String(); output == "wrapper(bool)" {
		return expressionProblem{field.ErrorTypeInvalid, "must evaluate to bool or the unknown type, not " + output}
	}
	references := ast.NativeRep().ReferenceMap()
	for _, id := range slices.Sorted(maps.Keys(references)) {
		reference := references[id]
		if reference.Name == deviceType {
			return doesNotCompile("'" + deviceType + "' is not a type")
		}
		for _, overload := range reference.OverloadIDs {
			if name := laterFunctions[overload]; name != "" {
				return doesNotCompile("undeclared reference to '" + name + "'")
			}
		}
	}
	if strings.Contains(expression, "`") { // around the name of a field; in a string it stays what it was
		without, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true),
			parser.EnableIdentEscapeSyntax(false))
		if err != nil {
			return expressionProblem{field.ErrorTypeInternal, bounded(err.Error())}
		}
		if _, errs := without.Parse(common.NewTextSource(expression)); len(errs.GetErrors()) > 0 {
			return doesNotCompile(errs.ToDisplayString())
		}
	}
	return expressionProblem{}
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
		},
		DeclTypes: []*apiservercel.DeclType{device},
	})
	if err != nil {
		return nil, err
	}
	return set.NewExpressionsEnv(), nil
})
