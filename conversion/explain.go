package conversion

import (
	"fmt"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// move says where a field of one version is found in the next one. It is what the steps do, in words; a test holds
// the rows against the steps.
type move struct{ old, new, note string }

// moves of each link, fields in the order of the old version. What is not listed keeps its path.
var moves = [][]move{
	{ // v1alpha1, v1alpha2
		{"status.allocation.resourceHandle", "status.allocation.resourceHandles[].data", "one handle, for status.driverName"},
	},
	{ // v1alpha2, v1alpha3
		{"spec.resourceClassName", "spec.devices.requests[].deviceClassName", "one request named claim"},
		{"spec.parametersRef", "spec.devices.config[].opaque.parameters.parametersRef", "kind ClassicClaimSpec, which no driver reads"},
		{"spec.allocationMode", "spec.devices.config[].opaque.parameters.allocationMode", "kind ClassicClaimSpec, which no driver reads, unless it is WaitForFirstConsumer"},
		{"status.driverName", "status.allocation.controller", "unless all handles are structured"},
		{"status.allocation.availableOnNodes", "status.allocation.nodeSelector", ""},
		{"status.allocation.resourceHandles[].driverName", "status.allocation.devices.results[].driver", ""},
		{"status.allocation.resourceHandles[].data", "status.allocation.devices.config[].opaque.parameters.data", "kind ResourceHandle, which drivers ignore unless they know that kind"},
		{"status.allocation.resourceHandles[].structuredData.nodeName", "status.allocation.devices.results[].pool", ""},
		{"status.allocation.resourceHandles[].structuredData.results[].namedResources.name", "status.allocation.devices.results[].device", ""},
		{"status.allocation.resourceHandles[].structuredData.vendorClassParameters", "status.allocation.devices.config[].opaque.parameters", "source FromClass"},
		{"status.allocation.resourceHandles[].structuredData.vendorClaimParameters", "status.allocation.devices.config[].opaque.parameters", "source FromClaim"},
		{"status.allocation.resourceHandles[].structuredData.results[].vendorRequestParameters", "status.allocation.devices.config[].opaque.parameters", "source FromClaim, for the request"},
		{"status.allocation", "status.allocation.devices.config[].opaque.parameters.digest", "kind ClassicAllocation: what else only a classic allocation says, such as that it cannot be shared"},
	},
}

// Explain tells in a line each which fields of an object go where when it is converted to a version, step by step.
// Fields that keep their paths are not told. It names paths, never values. What travels as a leftover is in the Report
// of the conversion.
func Explain(object []byte, version string) ([]string, error) {
	header, err := ReadHeader(object)
	if err != nil {
		return nil, failure(header, version, err)
	}
	from, to := place(header.Version), place(version)
	prefix := ""
	if header.Kind == kindTemplate {
		prefix = "spec."
	}
	var lines []string
	for from != to && from >= 0 && to >= 0 {
		next := from + 1
		if to < from {
			next = from - 1
		}
		converted, _, err := JSON(object, versions[next].name, Options{})
		if err != nil {
			return lines, err
		}
		had, has := map[string]bool{}, map[string]bool{}
		paths(object, had)
		paths(converted, has)
		for _, m := range moves[min(from, next)] {
			source, target := prefix+m.old, prefix+m.new
			if next < from {
				source, target = target, source
			}
			if !had[source] || !has[target] {
				continue
			}
			line := fmt.Sprintf("%s -> %s: %s -> %s", versions[from].name, versions[next].name, source, target)
			if m.note != "" {
				line += " (" + m.note + ")"
			}
			lines = append(lines, line)
		}
		object = converted
		from = next
	}
	return lines, nil
}

// maxExplained is how deep paths are looked at: no row of moves is longer, and deeper are only a driver's parameters.
const maxExplained = 16

// paths collects the paths of all values of an object, elements of a list being [].
func paths(object []byte, has map[string]bool) {
	s := kjson.New(object) // it converts, so it is JSON
	var walk func(path string, depth int)
	walk = func(path string, depth int) {
		if depth > maxExplained {
			s.Skip()
			return
		}
		has[path] = true
		switch {
		case s.Is('{'):
			for name := range s.Members() {
				walk(kjson.JoinPath(path, name), depth+1)
			}
		case s.Is('['):
			for range s.Elements() {
				walk(path+"[]", depth+1)
			}
		default:
			s.Skip()
		}
	}
	walk("", 0)
}
