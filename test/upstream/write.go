package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// write of an object that was read.
type write struct {
	operation   string // create, update or status
	version     string // in which the object was sent
	object, old runtime.Object
}

// validate is what the storage of an API server calls, with the strategy of the kind; see its
// registry/generic/registry/store.go.
func (w write) validate() error {
	if w.operation == "create" {
		return w.create()
	}
	var strategy rest.RESTUpdateStrategy
	_, claim := w.old.(*resource.ResourceClaim)
	switch {
	case w.operation == "status" && claim:
		strategy = statusStrategy
	case w.operation == "update" && claim:
		strategy = claimStrategy
	case w.operation == "update":
		strategy = templateStrategy
	default:
		return fmt.Errorf("%s of a %T", w.operation, w.old)
	}
	return rest.BeforeUpdate(strategy, w.in(w.old), w.object, w.old)
}

func (w write) create() error {
	m, err := meta.Accessor(w.object)
	if err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(m)
	switch w.object.(type) {
	case *resource.ResourceClaim:
		return rest.BeforeCreate(claimStrategy, w.in(w.object), w.object)
	case *resource.ResourceClaimTemplate:
		return rest.BeforeCreate(templateStrategy, w.in(w.object), w.object)
	}
	return fmt.Errorf("create of a %T", w.object)
}

// in is the context of a request in the object's own namespace. Declarative validation looks up
// there in which version the object was sent, and 1.36 who sends it.
func (w write) in(object runtime.Object) context.Context {
	info := request.RequestInfo{
		IsResourceRequest: true, Verb: "update",
		APIPrefix: "apis", APIGroup: resource.GroupName, APIVersion: w.version, Resource: "resourceclaims",
	}
	switch w.operation {
	case "create":
		info.Verb = "create"
	case "status":
		info.Subresource = "status"
	}
	if _, template := object.(*resource.ResourceClaimTemplate); template {
		info.Resource = "resourceclaimtemplates"
	}
	if m, err := meta.Accessor(object); err == nil {
		info.Namespace, info.Name = m.GetNamespace(), m.GetName()
	}
	ctx := request.WithNamespace(context.Background(), info.Namespace)
	ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "somebody"})
	return request.WithRequestInfo(ctx, &info)
}
