package transcode

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// versionPair is the kind of a request, the version that the client requested, and the version that the cluster serves.
type versionPair struct {
	kind              string
	requested, served string // such as v1 and v1beta1
}

func (p versionPair) requestedGVK() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: jsonconvert.Group, Version: p.requested, Kind: p.kind}
}

// servedAPIVersion returns the apiVersion of objects of the cluster.
func (p versionPair) servedAPIVersion() string { return jsonconvert.Group + "/" + p.served }

// toServed converts an object of the client, or a part of one.
func (p versionPair) toServed(object []byte) ([]byte, error) {
	converted, err := jsonconvert.Convert(object, p.kind, p.requested, p.served)
	if err != nil {
		return nil, badRequest("%s in version %q cannot be handled as a %s: %v", p.kind, p.requested, p.kind, err)
	}
	return converted, nil
}

// toRequested converts an object of the cluster.
func (p versionPair) toRequested(object []byte) ([]byte, error) {
	return jsonconvert.Convert(object, p.kind, p.served, p.requested)
}

// convertObject converts an object of the cluster, or the objects in a table. Anything else, such as a Status or the
// metadata of an object, is the same in all versions.
func (p versionPair) convertObject(object []byte) ([]byte, error) {
	if rawjson.IsAbsentOrNull(object) { // in a table row without an object
		return object, nil
	}
	members, err := rawjson.Members(object)
	if err != nil {
		return nil, err
	}
	kind := rawjson.String(rawjson.Get(members, "kind"))
	switch {
	case kind == p.kind && rawjson.String(rawjson.Get(members, "apiVersion")) == p.servedAPIVersion():
		return p.toRequested(object)
	case kind == "Table":
		return rawjson.Edit(object, []string{"rows", rawjson.EachItem, "object"}, p.convertObject)
	}
	return object, nil
}

// convertRow converts the object in a row of a table.
func (p versionPair) convertRow(row []byte) ([]byte, error) {
	return rawjson.Edit(row, []string{"object"}, p.convertObject)
}
