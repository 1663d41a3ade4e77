package transcode

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// translation is the pair of versions of one request, and its kind.
type translation struct {
	kind              string
	requested, served string // versions
}

func (x translation) requestedGVK() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: unstructured.Group, Version: x.requested, Kind: x.kind}
}

// servedAPIVersion is the apiVersion of objects of the cluster.
func (x translation) servedAPIVersion() string { return unstructured.Group + "/" + x.served }

// toServed converts an object of the client, or a part of one.
func (x translation) toServed(object []byte) ([]byte, error) {
	converted, err := unstructured.Convert(object, x.kind, x.requested, x.served)
	if err != nil {
		return nil, badRequest("%s in version %q cannot be handled as a %s: %v", x.kind, x.requested, x.kind, err)
	}
	return converted, nil
}

// toRequested converts an object of the cluster.
func (x translation) toRequested(object []byte) ([]byte, error) {
	return unstructured.Convert(object, x.kind, x.served, x.requested)
}

// convertResponse converts an object of the cluster, or the objects in a table. Anything else, such as a status or the
// metadata of an object, is the same in all versions.
func (x translation) convertResponse(object []byte) ([]byte, error) {
	if rawjson.IsNull(object) { // in a row without one
		return object, nil
	}
	members, err := rawjson.Members(object)
	if err != nil {
		return nil, err
	}
	kind := rawjson.String(rawjson.Get(members, "kind"))
	switch {
	case kind == x.kind && rawjson.String(rawjson.Get(members, "apiVersion")) == x.servedAPIVersion():
		return x.toRequested(object)
	case kind == "Table":
		return rawjson.Edit(object, []string{"rows", rawjson.EachItem, "object"}, x.convertResponse)
	}
	return object, nil
}

// convertRow converts the object in a row of a table.
func (x translation) convertRow(row []byte) ([]byte, error) {
	return rawjson.Edit(row, []string{"object"}, x.convertResponse)
}
