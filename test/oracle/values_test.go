package oracle

import "strings"

// textsFor has the valid values of fields, and similar values that are invalid.
var textsFor = map[string][]string{
	"allocationMode": {"WaitForFirstConsumer", "Immediate", "immediate", "ExactCount", "All", "all", "Any"},
	"source":         {"FromClass", "FromClaim", "fromClaim", "FromPod"},
	"operator":       {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "in", "Equal"},
	"key": {
		"metadata.name", "metadata.namespace", "gpu", "a/b", "a/b/c", "/b", "example.com/", "UPPER", "-a",
	},
	"deletionTimestamp": {"2024-01-01T00:00:00Z", "2024-01-01T00:00:00.5Z", "2024-01-01", "now"},
	"creationTimestamp": {"2024-01-01T00:00:00Z", "yesterday"},
	"matchAttribute": {
		"numa",
		"gpu.example.com/numa",
		"a/b/c",
		"/",
		"/a",
		"a/",
		"gpu.example.com/1a",
		"gpu.example.com/a-b",
		"gpu_x/a",
		"GPU.example.com/A",
		"gpu.example.com/" + strings.Repeat("a", 31), "gpu.example.com/" + strings.Repeat("a", 32),
		"gpu.example.com/" + strings.Repeat("a", 33),
		"gpu.example.com/" + strings.Repeat("é", 16),
		"gpu.example.com/" + strings.Repeat("é", 17),
		strings.Repeat("a", 63) + "/a",
		strings.Repeat("a", 64) + "/a",
		strings.Repeat("a", 33),
		strings.Repeat("é", 17),
	},
	"effect":          {"NoSchedule", "NoExecute", "None", "PreferNoSchedule"},
	"status":          {"True", "False", "Unknown", "true", "Maybe"},
	"reason":          {"Ready", "Not ready", "a:b,c_", "1a", strings.Repeat("a", 1024), strings.Repeat("a", 1025)},
	"message":         {strings.Repeat("a", 32<<10), strings.Repeat("a", 32<<10+1)},
	"interfaceName":   atLimits(256),
	"hardwareAddress": atLimits(128),
	"shareID": {
		"6b8fe2a0-1f6e-4b3e-9d3e-0c8f5a5d7a11", "6B8FE2A0-1F6E-4B3E-9D3E-0C8F5A5D7A11",
		"6b8fe2a01f6e4b3e9d3e0c8f5a5d7a11", "", "1",
	},
	"nodeName":       {"node-1", "a.b", "A", "a_b", "-"},
	"data":           atLimits(16384),
	"resourceHandle": atLimits(16384),
	"pool": {
		"a/b",
		"a//b",
		"/a",
		"a/",
		"/",
		"A/b",
		strings.Repeat("a/", 126) + "a",
		strings.Repeat("a/", 126) + "aa",
		strings.Repeat("/", 254),
	},
}

// expressions of selectors, in addition to those that TestNewExpressionsMatchUpstream generates.
var expressions = []string{
	"",
	" ",
	"\t\n",
	"true",
	"1",
	"device.driver",
	"device.model == 1",
	"[3, 1].sort() == [1, 3]",
	"a" + notUTF8,
	"ü",
	`"ü" == "😀"`,
	`device.driver == "gpu.example.com"`,
	`device.attributes["gpu.example.com"].numa == 1`,
	`device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0`,
	"true" + strings.Repeat(" ", 10<<10-4), "true" + strings.Repeat(" ", 10<<10-3),
	`device.attributes["a"].exists(a, device.attributes["b"].exists(b, device.attributes["c"].exists(c, ` +
		`device.attributes["d"].exists(d, a + b + c == d))))`,
}

// texts are names that are valid in some fields and invalid in others.
var texts = []string{
	"",
	"a",
	"claim",
	"gpu.example.com",
	"A.b",
	"UPPER",
	"a_b",
	"a/b",
	"1a",
	"-a",
	"a-",
	".a",
	"a.",
	"a..b",
	" a",
	"a b",
	"ü",
	"\u2028",
	"😀",
	"\x00", "\n", "null", "true", "0", `"`, "a" + notUTF8, "2024-01-01T00:00:00Z", "resource.k8s.io/v1alpha3",
}

// atLimits returns texts of n-1, n and n+1 bytes: labels, subdomains, and texts with characters of two and four bytes.
func atLimits(n int) (texts []string) {
	for length := n - 1; length <= n+1; length++ {
		pad := func(unit string) string {
			text := strings.Repeat(unit, length/len(unit))
			return text + strings.Repeat("a", length-len(text))
		}
		texts = append(texts, strings.Repeat("a", length), pad("a."), pad("é"), pad("😀"),
			strings.Repeat("é", length/2)+"é")
	}
	return texts
}

// limits has texts near the limits of identifiers, of labels and names of drivers, of subdomains and names of pools,
// and of handles.
var limits = [][]string{atLimits(32), atLimits(63), atLimits(253), atLimits(16384)}

// valueFor returns a value for a field: often a similar one to a valid value, sometimes one of another type.
func (m mutator) valueFor(path string, current any) any {
	name := path[strings.LastIndex(path, ".")+1:]
	if strings.HasSuffix(path, ".metadata.annotations") || strings.HasSuffix(path, ".metadata.labels") {
		return m.stringMap()
	}
	if m.IntN(12) == 0 {
		return oneOf[any](m, nil, true, m.number(), []any{}, tree{}, []any{tree{}}, []any{"a"}, []any{nil},
			tree{"a": "b"})
	}
	if strings.HasSuffix(path, ".devices.*.data") {
		return oneOf[any](m, nil, tree{}, []any{}, 1, "a", tree{"a": strings.Repeat("a", 10<<10-8)},
			tree{"a": strings.Repeat("a", 10<<10-7)})
	}
	if strings.HasSuffix(path, ".ips.*") {
		return oneOf(m, "192.0.2.5/24", "192.0.2.05/24", "192.0.2.5", "192.0.2.5/33", "2001:db8::5/64",
			"2001:0db8::5/64", "::ffff:192.0.2.5/120", "")
	}
	if name == "expression" {
		return oneOf(m, expressions...)
	}
	if texts := textsFor[name]; texts != nil && m.IntN(3) > 0 {
		return oneOf(m, texts...)
	}
	switch current := current.(type) {
	case tree:
		return oneOf[any](m, nil, tree{}, []any{}, tree{"unknown": tree{"a": nil}})
	case []any:
		return oneOf[any](m, nil, []any{}, append([]any{nil}, current...), current[:len(current)/2])
	case bool:
		return !current
	case string:
		if current != "" && m.IntN(4) == 0 {
			return oneOf(m, strings.ToUpper(current), current+".", current+" ", current+current,
				current[:len(current)/2])
		}
	}
	switch name {
	case "count", "generation", "deletionGracePeriodSeconds":
		return m.number()
	case "deallocationRequested", "shareable", "adminAccess":
		return m.IntN(2) == 0
	case "bindingConditions", "bindingFailureConditions", "skipNodeOperations", "ips", "requests", "values",
		"finalizers":
		if _, ok := current.([]any); !ok && m.IntN(2) == 0 {
			return oneOf[any](m, []any{"a"}, []any{"a", "a"}, []any{""}, []any{"gpu", "nic"})
		}
	case "capacity", "consumedCapacity", "networkData", "exactly", "structuredData", "namedResources",
		"allocation", "devices", "opaque", "cel", "parametersRef", "nodeSelector", "availableOnNodes":
		return tree{}
	case "firstAvailable", "tolerations", "derivedAttributes", "config", "constraints", "results",
		"resourceHandles", "reservedFor", "selectors", "matchFields", "matchExpressions", "nodeSelectorTerms",
		"ownerReferences", "managedFields":
		return oneOf[any](m, []any{}, []any{tree{}}, []any{tree{}, tree{}})
	}
	if m.IntN(2) == 0 {
		return oneOf(m, oneOf(m, limits...)...)
	}
	return oneOf(m, texts...)
}

// stringMap returns valid or invalid annotations or labels, including some near the size limit of annotations.
func (m mutator) stringMap() any {
	key := oneOf(m, "a", "example.com/a", "/a", "a/", "a/b/c", "UPPER", "example.com/UPPER", "EXAMPLE.com/a", "-", "",
		strings.Repeat("a", 64))
	return oneOf[any](m,
		tree{key: oneOf(m, texts...)},
		tree{key: strings.Repeat("a", oneOf(m, 63, 64))},
		tree{"a": strings.Repeat("é", 128<<10-2), "b": strings.Repeat("a", oneOf(m, 1, 2, 3))},
		tree{key: m.number()}, tree{}, nil,
	)
}
