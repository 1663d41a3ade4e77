package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// convert an object as an API server does between a request and the store: its version, the
// internal one, the other version.
func (j validator) convert(q question) (a answer, err error) {
	read := j.read
	if q.Defaults != nil && !*q.Defaults {
		read = readWithoutDefaults
	}
	object, err := read(q.Object)
	if err != nil {
		return answer{Undecodable: err.Error()}, nil
	}
	version := schema.GroupVersion{Group: resource.GroupName, Version: q.Version}
	if a.Object, err = runtime.Encode(legacyscheme.Codecs.LegacyCodec(version), object); err != nil {
		return a, fmt.Errorf("converting to %s: %w", version, err)
	}
	return a, nil
}

func (j validator) read(data []byte) (runtime.Object, error) { return runtime.Decode(j, data) }

func readWithoutDefaults(data []byte) (runtime.Object, error) {
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDeserializer(), data)
	if err != nil {
		return nil, err
	}
	return legacyscheme.Scheme.ConvertToVersion(object, resource.SchemeGroupVersion)
}
