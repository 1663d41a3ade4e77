package cel

import (
	"errors"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"

	"github.com/claimbridge/claimbridge/api"
)

// oldest and newest are the first and the last release that have an environment.
const oldest = 31

var newest = func() int {
	all := api.Releases()
	return api.Minor(all[len(all)-1].Name)
}()

// environmentOf returns the environment in which a release compiles new expressions: the functions of the release
// before it, to which a cluster can be rolled back, with the device and semantic versions. Building it takes some
// milliseconds, so it is built for the first expression.
//
// The wider environment for stored expressions makes no difference: up to 1.34 an update is also validated as a create
// (pkg/registry/resource/resourceclaim/strategy.go), so the narrow one decides, and from 1.35 on an update of a
// claim compiles nothing, since the spec is immutable.
func environmentOf(release int) (*cel.Env, error) {
	e := environments(release)
	return e.env, e.err
}

type builtEnv struct {
	env *cel.Env
	err error
}

var environments = perRelease(func(release int) (e builtEnv) {
	e.env, e.err = build(release)
	return e
})

// perRelease returns a function that computes a value for each release on the first call.
func perRelease[T any](compute func(release int) T) func(release int) T {
	all := make([]func() T, newest-oldest+1)
	for i := range all {
		all[i] = sync.OnceValue(func() T { return compute(oldest + i) })
	}
	return func(release int) T { return all[release-oldest]() }
}

func build(release int) (*cel.Env, error) {
	device := deviceOf(release)
	options := []cel.EnvOption{
		cel.Variable("device", device.CelType()),
		ext.Bindings(ext.BindingsVersion(0)),
		cel.ExpressionNodeLimit(maxNodes),
		lenientTimestamps(),
	}
	if release <= 33 { // from 1.34 on it is in the base environment
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

// schedulerEnvironment returns the environment of the library that current schedulers use.
var schedulerEnvironment = sync.OnceValues(func() (*cel.Env, error) {
	kind := environment.NewExpressions
	result := dracel.GetCompiler(dracel.Features{}).CompileCELExpression("true",
		dracel.Options{EnvType: &kind, DisableCostEstimation: true})
	if result.Error != nil {
		return nil, errors.New(result.Error.Detail)
	}
	return result.Environment.Extend(lenientTimestamps())
})

// deviceType is the name of the type of the variable device.
const deviceType = "kubernetes.DRADevice"

// Limits of the fields of a device, from which costs are estimated: of k8s.io/api/resource/v1.
const (
	maxAttributes   = 32 // and capacities, together
	maxDomain       = 63
	maxIdentifier   = 32
	maxDriver       = 63
	maxAttributeLen = 64
)

// deviceOf returns the type of the variable device in a release.
var deviceOf = perRelease(func(release int) *apiservercel.DeclType {
	fields := map[string]*apiservercel.DeclField{}
	add := func(name string, kind *apiservercel.DeclType) {
		fields[name] = apiservercel.NewDeclField(name, kind, true, nil, nil)
	}
	add("driver", withMaxLength(apiservercel.StringType, maxDriver))
	add("attributes", byName(withMaxLength(apiservercel.AnyType, maxAttributeLen)))
	add("capacity", byName(apiservercel.QuantityDeclType))
	if release >= 36 { // behind the feature gate DRAConsumableCapacity, off before
		add("allowMultipleAllocations", withMaxLength(apiservercel.BoolType, 1))
	}
	return apiservercel.NewObjectType(deviceType, fields)
})

func withMaxLength(kind *apiservercel.DeclType, most int64) *apiservercel.DeclType {
	limited := *kind
	limited.MaxElements = most
	return &limited
}

// byName returns the type of a map from a domain to a map from an identifier to a value.
func byName(value *apiservercel.DeclType) *apiservercel.DeclType {
	inner := apiservercel.NewMapType(withMaxLength(apiservercel.StringType, maxIdentifier), value, maxAttributes)
	return apiservercel.NewMapType(withMaxLength(apiservercel.StringType, maxDomain), inner, maxAttributes)
}

// sizes estimates the sizes of the fields of a device, as k8s.io/dynamic-resource-allocation/cel does.
type sizes struct {
	device *apiservercel.DeclType
	// release of Kubernetes, by its minor number.
	release int
}

// EstimateSize returns the size of a value by its path and, since 1.38, of a type, such as type(device.driver).
func (s sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if s.release >= 38 && isTypeOrOptionalType(element.Type()) {
		return &checker.SizeEstimate{Min: 1, Max: 1}
	}
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
			} else if at.ElemType == attribute { // all attributes have the same limit
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

// isTypeOrOptionalType reports whether values of a type are types, or optional types.
func isTypeOrOptionalType(t *types.Type) bool {
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && len(t.Parameters()) == 1 {
		t = t.Parameters()[0]
	}
	return t.Kind() == types.TypeKind
}

// EstimateCallCost returns nil, because the libraries estimate the cost of calls.
func (s sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// semverType is the type of the result of semver.
var semverType = apiservercel.SemverType
