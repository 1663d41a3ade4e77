package selector

import (
	"errors"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// deviceType of the variable device.
const deviceType = "kubernetes.DRADevice"

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
