package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
)

// group declares versions, the newest first, to the generic server, which makes discovery and OpenAPI from the interfaces of their storages. No
// storage is ever called: requests for objects do not get as far as the routes that the generic server makes for them.
func group(versions []string, scheme *runtime.Scheme, codecs serializer.CodecFactory) *genericapiserver.APIGroupInfo {
	info := genericapiserver.NewDefaultAPIGroupInfo(api.Group, scheme, metav1.ParameterCodec, codecs)
	info.PrioritizedVersions = nil
	for _, version := range served.Versions() {
		if !slices.Contains(versions, version) {
			continue
		}
		info.PrioritizedVersions = append(info.PrioritizedVersions, schema.GroupVersion{Group: api.Group, Version: version})
		storages := map[string]rest.Storage{}
		for _, kind := range served.Kinds(version) {
			storages[kind.Resource] = resource{kind: kind}
			if kind.Status {
				storages[kind.Resource+"/status"] = status{kind: kind}
			}
		}
		info.VersionedResourcesStorageMap[version] = storages
	}
	return &info
}

type (
	// resource is the storage of a kind, with the interfaces of all verbs.
	resource struct {
		rest.StandardStorage
		kind served.Kind
	}
	// status is that of its subresource.
	status struct {
		rest.Patcher
		kind served.Kind
	}
)

// New, NewList and Destroy are those of the description, and not of the interface, which is none.
func (r resource) New() runtime.Object     { return r.kind.New() }
func (r resource) NewList() runtime.Object { return r.kind.NewList() }
func (resource) Destroy()                  {}
func (s status) New() runtime.Object       { return s.kind.New() }
func (status) Destroy()                    {}

// NamespaceScoped and the others are asked of resources alone.
func (r resource) NamespaceScoped() bool          { return r.kind.Namespaced }
func (r resource) GetSingularName() string        { return r.kind.Singular }
func (resource) DeleteReturnsDeletedObject() bool { return true }

// StorageVersion is that of the objects as they are stored, whatever version shows them.
func (resource) StorageVersion() runtime.GroupVersioner {
	return schema.GroupVersion{Group: api.Group, Version: served.Stored}
}
