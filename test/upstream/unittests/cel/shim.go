// Package cel runs the tests of the compiler in Kubernetes' dynamic-resource-allocation/cel. test/oracle adds their
// file, which is in the module cache. claimbridge compiles the expressions and estimates their costs. It has no
// devices, so Kubernetes evaluates the expressions, for the tests that compare the cost of an evaluation with the
// estimate.
package cel

import (
	"math"
	"reflect"

	"k8s.io/apiserver/pkg/cel/environment"
	upstream "k8s.io/dynamic-resource-allocation/cel"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

// Device that an expression is evaluated for.
type Device = upstream.Device

// Features of a compiler. claimbridge compiles with those that are enabled by default.
type Features struct{ EnableConsumableCapacity, EnableListTypeAttributes bool }

// Options of a compilation. claimbridge compiles each expression as new.
type Options struct {
	EnvType          *environment.Type
	DerivedAttribute bool
}

// CompilationResult is claimbridge's, with Kubernetes' methods to evaluate the expression.
type CompilationResult struct {
	upstream.CompilationResult
	Error   error
	MaxCost uint64
}

type compiler struct{ features Features }

// GetCompiler has an argument from 1.34 on.
func GetCompiler(features ...Features) (c compiler) {
	if len(features) > 0 {
		c.features = features[0]
	}
	return c
}

// CompileCELExpression compiles an expression with claimbridge. The options are an [environment.Type] in 1.31.
func (c compiler) CompileCELExpression(expression string, options any) CompilationResult {
	o, _ := options.(Options)
	cost, problem, err := ask.Expression(expression, o.DerivedAttribute)
	if err != nil {
		panic(err)
	}
	if problem != nil {
		return CompilationResult{Error: problem, MaxCost: math.MaxUint64}
	}
	return CompilationResult{CompilationResult: c.upstreamResult(expression), MaxCost: cost}
}

// upstreamResult compiles an expression with Kubernetes, as a stored one. The signatures of its functions depend on the
// release.
func (c compiler) upstreamResult(expression string) upstream.CompilationResult {
	getCompiler := reflect.ValueOf(upstream.GetCompiler)
	var arguments []reflect.Value
	if getCompiler.Type().NumIn() > 0 {
		features := reflect.New(getCompiler.Type().In(0)).Elem()
		for name, enabled := range map[string]bool{
			"EnableConsumableCapacity": c.features.EnableConsumableCapacity,
			"EnableListTypeAttributes": c.features.EnableListTypeAttributes,
		} {
			if field := features.FieldByName(name); field.IsValid() {
				field.SetBool(enabled)
			}
		}
		arguments = append(arguments, features)
	}
	compile := getCompiler.Call(arguments)[0].MethodByName("CompileCELExpression")
	options := reflect.Zero(compile.Type().In(1))
	if options.Kind() == reflect.String {
		options = reflect.ValueOf(environment.StoredExpressions)
	}
	result := compile.Call([]reflect.Value{reflect.ValueOf(expression), options})[0]
	return result.Interface().(upstream.CompilationResult)
}
