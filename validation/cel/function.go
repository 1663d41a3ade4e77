package cel

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// function is what the type checker knows about a function.
type function struct {
	// candidates is the number of overloads, variables that of the type parameters of all of them.
	candidates, variables int64
	// wraps is set when the result type can be nested deeper than the argument types, as for optional.of.
	wraps bool
}

// functionsOf returns the functions of a release by name. Two environments check an expression of 1.31, so the larger
// numbers of both count.
var functionsOf = perRelease(func(release int) map[string]function {
	return functionsIn(environmentsThatCheck(release))
})

func functionsIn(environments []*cel.Env) map[string]function {
	// Selecting an optional field is built into the checker.
	all := map[string]function{"_?._": {wraps: true}}
	for _, env := range environments {
		for name, declared := range env.Functions() {
			var f function
			for _, overload := range declared.OverloadDecls() {
				f.candidates++
				f.variables += int64(len(overload.TypeParams()))
				for _, parameter := range overload.TypeParams() {
					before := 0
					for _, argument := range overload.ArgTypes() {
						before = max(before, depthOf(parameter, argument))
					}
					f.wraps = f.wraps || depthOf(parameter, overload.ResultType()) > before
				}
			}
			known := all[name]
			all[name] = function{
				max(f.candidates, known.candidates), max(f.variables, known.variables),
				f.wraps || known.wraps,
			}
		}
	}
	return all
}

// depthOf returns how deep a type parameter is nested in a type: 1 when it is the type itself, 0 when it does not
// occur.
func depthOf(parameter string, t *types.Type) int {
	if t.Kind() == types.TypeParamKind && t.TypeName() == parameter {
		return 1
	}
	deepest := 0
	for _, inner := range t.Parameters() {
		if d := depthOf(parameter, inner); d > 0 {
			deepest = max(deepest, d+1)
		}
	}
	return deepest
}

// environmentsThatCheck returns the environments that check an expression of a release.
func environmentsThatCheck(release int) (all []*cel.Env) {
	if env, err := environmentOf(release); err == nil {
		all = append(all, env)
	}
	if scheduler, err := schedulerEnvironment(); err == nil && release == oldest {
		all = append(all, scheduler)
	}
	return all
}
