package unstructured

import (
	"slices"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// ConvertReferences sets the version of the owners of an object, and of the entries in its managedFields, that have
// another version of resource.k8s.io. It is for objects that are to be written to a cluster which serves the version.
//
// The garbage collector cannot find an owner in a version that is no longer served. An entry of managedFields has the
// same meaning in v1beta1, v1beta2 and v1: what differs between them is in lists that are atomic. Entries of older
// versions are unchanged, and API servers drop them.
func ConvertReferences(object []byte, version string) ([]byte, error) {
	members, err := parse(object)
	if err != nil {
		return nil, err
	}
	i := objectjson.Find(members, "metadata")
	if i < 0 {
		return object, nil
	}
	setOwner := func(owner []objectjson.Member) ([]objectjson.Member, error) {
		if slices.Contains(Kinds(version), objectjson.StringOf(objectjson.Get(owner, "kind"))) {
			setVersion(owner, conversion.Versions(), version)
		}
		return owner, nil
	}
	setEntry := func(entry []objectjson.Member) ([]objectjson.Member, error) {
		setVersion(entry, slices.DeleteFunc(conversion.Versions(), isProjection), version)
		return entry, nil
	}
	metadata, err := edit(members[i].Value, []string{"ownerReferences", eachItem}, setOwner)
	if err == nil {
		metadata, err = edit(metadata, []string{"managedFields", eachItem}, setEntry)
	}
	if err != nil {
		return nil, objectjson.AtPath("metadata", err)
	}
	members[i].Value = metadata
	return encode(members), nil
}
