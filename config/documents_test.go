package config_test

import (
	"bytes"
	"cmp"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// modes are the sources of certificates. Each has a separate set of manifests.
var modes = []config.Certificates{config.CertManager, config.Self, config.Files}

// manifests returns the manifests of valid options. The default group is that of config/default.
func manifests(t *testing.T, o config.Options) []byte {
	t.Helper()
	o.Group = cmp.Or(o.Group, config.DefaultGroup)
	return must.Get(config.Manifests(o))(t)
}

// documents splits a stream into documents.
func documents(t *testing.T, stream []byte) (objects []*unstructured.Unstructured) {
	t.Helper()
	for i, document := range bytes.Split(stream, []byte("\n---\n")) {
		object := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict(document, &object.Object); err != nil {
			t.Fatalf("document %d: %v\n%s", i, err, document)
		}
		if object.GetKind() == "" || object.GetName() == "" {
			t.Fatalf("document %d has no kind or name:\n%s", i, document)
		}
		objects = append(objects, object)
	}
	return objects
}

// decoder is strict: a field that the Go type of a kind does not have is an error.
var decoder = func() runtime.Decoder {
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, apiextensionsv1.AddToScheme, certmanagerv1.AddToScheme,
	} {
		if err := add(known); err != nil {
			panic(err)
		}
	}
	return serializer.NewCodecFactory(known, serializer.EnableStrict).UniversalDeserializer()
}()

// typed returns the objects of a type in a stream.
func typed[T runtime.Object](t *testing.T, stream []byte) (found []T) {
	t.Helper()
	for _, object := range documents(t, stream) {
		if object.GetKind() == "ServiceMonitor" {
			continue // its types are in a module that nothing else needs; test/install checks its CRD
		}
		raw := must.Get(object.MarshalJSON())(t)
		decoded, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
		if object, ok := decoded.(T); ok {
			found = append(found, object)
		}
	}
	return found
}

// one returns the only object of a type.
func one[T runtime.Object](t *testing.T, stream []byte) T {
	t.Helper()
	found := typed[T](t, stream)
	if len(found) != 1 {
		t.Fatalf("want one %T, got %d", *new(T), len(found))
	}
	return found[0]
}
