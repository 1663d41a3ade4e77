package selector

import (
	"errors"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"

	"github.com/claimbridge/claimbridge/api"
)

// First and last release whose environment is known.
const oldest = 31

var newest = func() int {
	all := api.Releases()
	return api.Minor(all[len(all)-1].Name)
}()

// environmentOf a release is what it compiles new selectors in: the functions of the release
// before, to which it can be rolled back, with the device and its semantic versions. It takes some
// milliseconds to build, so it waits for the first expression.
//
// Stored expressions, which are compiled in a wider environment, make no difference: up to 1.34 an
// update is validated as a creation too (pkg/registry/resource/resourceclaim/strategy.go), so that
// the narrow one always decides, and from 1.35 on nothing of a spec is compiled that cannot have
// changed.
func environmentOf(release int) (*cel.Env, error) {
	e := environments(release)
	return e.env, e.err
}

type builtEnv struct {
	env *cel.Env
	err error
}

var environments = onceARelease(func(release int) (e builtEnv) {
	e.env, e.err = build(release)
	return e
})

// onceARelease makes a thing of each release when it is first asked for.
func onceARelease[T any](of func(release int) T) func(release int) T {
	all := make([]func() T, newest-oldest+1)
	for i := range all {
		all[i] = sync.OnceValue(func() T { return of(oldest + i) })
	}
	return func(release int) T { return all[release-oldest]() }
}

func build(release int) (*cel.Env, error) {
	device := deviceOf(release)
	options := []cel.EnvOption{
		cel.Variable("device", device.CelType()),
		ext.Bindings(ext.BindingsVersion(0)),
		cel.ExpressionNodeLimit(maxNodes),
	}
	if release <= 33 { // from 1.34 on they are in the base
		options = append(options, library.SemverLib(library.SemverVersion(0)))
	}
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, uint(release-1))).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: options, DeclTypes: []*apiservercel.DeclType{device},
	})
	if err != nil {
		return nil, err
	}
	return set.NewExpressionsEnv(), nil
}

// environmentOfToday is that of the library that schedulers use.
var environmentOfToday = sync.OnceValues(func() (*cel.Env, error) {
	kind := environment.NewExpressions
	result := dracel.GetCompiler(dracel.Features{}).CompileCELExpression("true",
		dracel.Options{EnvType: &kind, DisableCostEstimation: true})
	if result.Error != nil {
		return nil, errors.New(result.Error.Detail)
	}
	return result.Environment, nil
})

// deviceType of the variable device.
const deviceType = "kubernetes.DRADevice"

// Bounds of what a device has, by which costs are estimated: of k8s.io/api/resource/v1.
const (
	maxAttributes   = 32 // and capacities, together
	maxDomain       = 63
	maxIdentifier   = 32
	maxDriver       = 63
	maxAttributeLen = 64
)

// deviceOf a release, which is a type of its environment.
var deviceOf = onceARelease(func(release int) *apiservercel.DeclType {
	fields := map[string]*apiservercel.DeclField{}
	add := func(name string, kind *apiservercel.DeclType) {
		fields[name] = apiservercel.NewDeclField(name, kind, true, nil, nil)
	}
	add("driver", ofAtMost(apiservercel.StringType, maxDriver))
	add("attributes", byName(ofAtMost(apiservercel.AnyType, maxAttributeLen)))
	add("capacity", byName(apiservercel.QuantityDeclType))
	if release >= 36 { // behind the feature gate DRAConsumableCapacity, off before
		add("allowMultipleAllocations", ofAtMost(apiservercel.BoolType, 1))
	}
	return apiservercel.NewObjectType(deviceType, fields)
})

func ofAtMost(kind *apiservercel.DeclType, most int64) *apiservercel.DeclType {
	bounded := *kind
	bounded.MaxElements = most
	return &bounded
}

// byName is a map from a domain to a map from an identifier to a value.
func byName(value *apiservercel.DeclType) *apiservercel.DeclType {
	inner := apiservercel.NewMapType(ofAtMost(apiservercel.StringType, maxIdentifier), value, maxAttributes)
	return apiservercel.NewMapType(ofAtMost(apiservercel.StringType, maxDomain), inner, maxAttributes)
}

// sizes of what an expression reads of a device, as k8s.io/dynamic-resource-allocation/cel gives them.
type sizes struct{ device *apiservercel.DeclType }

// EstimateSize of a value by the way that leads to it.
func (s sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 || path[0] != "device" {
		return nil
	}
	attribute := s.device.Fields["attributes"].Type.ElemType.ElemType
	at := s.device
	for _, name := range path[1:] {
		var next *apiservercel.DeclType
		switch name {
		case "@items", "@values":
			next = at.ElemType
		case "@keys":
			next = at.KeyType
		default:
			if field, ok := at.Fields[name]; ok {
				next = field.Type
			} else if at.ElemType == attribute { // all of them have the same bound
				next = attribute
			}
		}
		if next == nil {
			return nil
		}
		at = next
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements)}
}

// EstimateCallCost leaves calls to the libraries.
func (s sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// estimator of costs in a release.
func estimator(release int) checker.CostEstimator {
	of := &library.CostEstimator{SizeEstimator: sizes{deviceOf(release)}}
	if release >= 37 {
		return of
	}
	return cheapMatches{of}
}

// cheapMatches is the estimate of CEL up to Kubernetes 1.36, which knew the cost of
// text.matches(pattern), and took matches(text, pattern) for a call like any other.
type cheapMatches struct{ checker.CostEstimator }

func (c cheapMatches) EstimateCallCost(function, overload string, target *checker.AstNode,
	args []checker.AstNode,
) *checker.CallEstimate {
	if overload == overloads.Matches {
		return &checker.CallEstimate{CostEstimate: checker.FixedCostEstimate(1)}
	}
	return c.CostEstimator.EstimateCallCost(function, overload, target, args)
}

// semverType is what semver gives.
var semverType = apiservercel.SemverType
