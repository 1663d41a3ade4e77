package validation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Dropped is a field of an object that the API server of a release does not store.
type Dropped struct {
	// Field is its path, with indices.
	Field string
	// Since is the release that it came with and Gone the one without it, when the release does not have it: then an API server
	// that is asked for strict field validation, as kubectl asks it, refuses the object. Both are empty for a field that stands
	// behind a feature gate which is off by default: it is dropped, and nobody is told.
	Since, Gone string
}

// releasedField is one that not every release with its version has.
type releasedField struct {
	gated       gated
	since, gone release
}

// releasedFields by their paths, without indices, and without the exactly that v1beta2 has before what v1beta1 has beside the name.
var releasedFields = map[string]releasedField{
	"spec.controller":                                        {gone: release1_32},
	"spec.devices.requests.adminAccess":                      {gated: adminAccess},
	"spec.devices.requests.firstAvailable":                   {gated: firstAvailable, since: release1_33},
	"spec.devices.requests.tolerations":                      {gated: tolerations, since: release1_33},
	"spec.devices.requests.capacity":                         {gated: capacity, since: release1_34},
	"spec.devices.requests.derivedAttributes":                {gated: derivedAttributes, since: release1_37},
	"spec.devices.requests.firstAvailable.tolerations":       {gated: tolerations, since: release1_33},
	"spec.devices.requests.firstAvailable.capacity":          {gated: capacity, since: release1_34},
	"spec.devices.requests.firstAvailable.derivedAttributes": {gated: derivedAttributes, since: release1_37},
	"spec.devices.constraints.distinctAttribute":             {gated: distinctAttribute, since: release1_34},

	"status.deallocationRequested":                               {gone: release1_32},
	"status.allocation.controller":                               {gone: release1_32},
	"status.allocation.resourceHandles.structuredData":           {since: release1_30},
	"status.allocation.allocationTimestamp":                      {gated: allocationTimestamp, since: release1_34},
	"status.allocation.devices.results.adminAccess":              {gated: adminAccess, since: release1_32},
	"status.allocation.devices.results.tolerations":              {gated: resultTolerations, since: release1_33},
	"status.allocation.devices.results.bindingConditions":        {gated: bindingConditions, since: release1_34},
	"status.allocation.devices.results.bindingFailureConditions": {gated: bindingConditions, since: release1_34},
	"status.allocation.devices.results.shareID":                  {gated: shareID, since: release1_34},
	"status.allocation.devices.results.consumedCapacity":         {gated: capacity, since: release1_34},
	"status.allocation.devices.results.skipNodeOperations":       {gated: skippedOperations, since: release1_37},
	"status.devices":         {gated: deviceStatus, since: release1_32},
	"status.devices.shareID": {gated: shareID, since: release1_34},
}

// DroppedFields are those of the part that a write brings, the spec or the status, which the API server of the release drops
// or does not know, at its default feature gates: in order of their paths, of a field inside of such a field the outer one. A field
// behind a gate stays while the old object has it. The release may be any that Kubernetes 1.26 to 1.37 is called. It is what the
// rules do not look at, so a refusal may follow from it.
func DroppedFields(r Request) ([]Dropped, error) {
	header, err := conversion.ReadHeader(r.Object)
	if err != nil {
		return nil, err
	}
	judge := defaultOf(header.Version)
	if r.Release != "" {
		judge = releaseOf(r.Release)
	}
	var spec, status gated // of the old object
	err = eachReleased(r.OldObject, header.Kind, "", func(_, name string, f releasedField) bool {
		if strings.HasPrefix(name, "spec") {
			spec |= f.gated
		} else {
			status |= f.gated
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("old object: %w", err)
	}
	part, groups := "spec", closedInSpec(judge)
	if r.Operation == UpdateStatus {
		part, groups = "status", closedInStatus(judge)
	}
	closed := (&write{op: r.Operation, release: judge}).closed(groups, spec, status)
	var dropped []Dropped
	err = eachReleased(r.Object, header.Kind, part, func(path, _ string, f releasedField) (inside bool) {
		switch {
		case judge < f.since:
			dropped = append(dropped, Dropped{Field: path, Since: f.since.String()})
		case f.gone > 0 && judge >= f.gone:
			dropped = append(dropped, Dropped{Field: path, Gone: f.gone.String()})
		case f.gated&closed != 0:
			dropped = append(dropped, Dropped{Field: path})
		default:
			return true
		}
		return false
	})
	return dropped, err
}

// eachReleased visits the fields of the table that an object has, of one part or of all, and those inside of one when it is told
// to. Nothing else of the object is decoded.
func eachReleased(object []byte, kind, part string, visit func(path, name string, f releasedField) (inside bool)) error {
	if len(object) == 0 {
		return nil
	}
	members, _, err := kjson.Members(object)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.Name != "spec" && (m.Name != "status" || kind == templateKind) || part != "" && m.Name != part {
			continue
		}
		var value any
		if err := json.Unmarshal(m.Value, &value); err != nil {
			return err
		}
		path := m.Name
		if kind == templateKind {
			template, _ := value.(map[string]any)
			path, value = "spec.spec", template["spec"]
		}
		walkReleased(path, m.Name, value, visit)
	}
	return nil
}

func walkReleased(path, name string, value any, visit func(path, name string, f releasedField) bool) {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			walkReleased(fmt.Sprintf("%s[%d]", path, i), name, item, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner, innerName := v[key], name+"."+key
			if key == "exactly" {
				innerName = name
			}
			if list, isList := inner.([]any); inner == nil || isList && len(list) == 0 || inner == false && key != "adminAccess" || inner == "" {
				continue // to an API server it is not there
			}
			if f, is := releasedFields[innerName]; is && !visit(path+"."+key, innerName, f) {
				continue
			}
			walkReleased(path+"."+key, innerName, inner, visit)
		}
	}
}
