package selector

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// function as the type checker sees it.
type function struct {
	// candidates are its overloads, variables the type parameters of all of them.
	candidates, variables int64
	// wraps is set when the type of the result can be deeper than those of the arguments, as that of optional.of is.
	wraps bool
}

// functionsOf a release by their names, in the environment that has more of them, since two check
// an expression of 1.31.
var functionsOf = onceARelease(func(release int) map[string]function {
	return functionsIn(environmentsThatCheck(release))
})

func functionsIn(environments []*cel.Env) map[string]function {
	// selection of an optional field, which the checker knows by itself
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

// depthOf a type parameter in a type: 1 when it is the type itself, 0 when it does not occur.
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

// environmentsThatCheck an expression.
func environmentsThatCheck(release int) (all []*cel.Env) {
	if env, err := environmentOf(release); err == nil {
		all = append(all, env)
	}
	if today, err := environmentOfToday(); err == nil && release == oldest {
		all = append(all, today)
	}
	return all
}
