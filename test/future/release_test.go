package future

import (
	"strings"
	"testing"
)

// objects137 is the row of what objects of 1.37 have.
const objects137 = `		"1.37": {"bindingConditions", "capacity", "derivedAttributes", "distinctAttribute", "firstAvailable", "networkData", "shareID", "skipNodeOperations", "tolerations"},
`

// aRelease after all that are known, which adds a field to a request.
func aRelease() []place {
	const field = `	// Affinity of the devices.
	// +optional
	Affinity string ` + "`json:\"affinity,omitempty\"`\n\n"
	return []place{
		{
			write: "what changes", in: "`test/next/testdata`",
			changes: []change{{file: "test/next/testdata/1.98-1.99.md", text: `| what | before | after | row |
|---|---|---|---|
| field v1 ExactDeviceRequest.affinity | - | string | ` + "`api/fields.go`" + ` |
| gate DRAAffinity | - | off, Alpha | ` + "`api/fields.go`" + ` |
`}},
			red: "./test/next",
		},
		{
			write: "release", in: "`api/releases.go`",
			changes: []change{{file: "api/releases.go", before: "}\n\n// Releases are all", text: `	{Name: "1.99", Provisional: "a release that does not exist"},` + "\n"}},
			red:     "./validation",
		},
		{
			write: "fields", in: "`api/fields.go`",
			changes: []change{{
				file: "api/fields.go", before: "\n\t{Path: \"status.deallocationRequested\"",
				text: `	{Path: requests + "affinity", Since: "1.99", Gate: "DRAAffinity", ClosedFrom: "1.99"},
	{Path: requests + "firstAvailable.affinity", Since: "1.99", Gate: "DRAAffinity", ClosedFrom: "1.99"},
`,
			}},
			red: "./test/next",
		},
		{
			write: "types", in: "`api/v1`, `api/v1beta1`",
			changes: []change{
				{file: "api/v1/request.go", before: "\t// DerivedAttributes are computed", text: field},
				{file: "api/v1beta1/spec.go", before: "\t// DerivedAttributes are computed", text: field},
				{file: "api/v1beta1/exactly.go", before: "DerivedAttributes: r.DerivedAttributes", text: "Affinity: r.Affinity, "},
				{file: "api/v1beta1/exactly.go", before: "\tr.DeviceClassName, r.Selectors,", text: "\tr.Affinity = e.Affinity\n"},
			},
			red: "./validation",
		},
		{
			write: "objects", in: "`test/objects`",
			changes: []change{
				{file: "test/objects/request.go", before: "\tr.Exactly.AllocationMode, r.Exactly.Count", text: "\tif s.since(99) && s.some(4) {\n\t\tr.Exactly.Affinity = \"rack\"\n\t}\n"},
				{file: "test/objects/objects_test.go", before: "\t}\n\tnames := map[string]bool", text: strings.Replace(objects137, "1.37\": {", "1.99\": {\"affinity\", ", 1)},
				{file: "test/objects/request.go", before: "\t\t\talternative.AllocationMode, alternative.Count", text: "\t\t\tif s.since(99) && s.some(4) {\n\t\t\t\talternative.Affinity = \"rack\"\n\t\t\t}\n"},
			},
			red: "./test/objects",
		},
		{
			write: "rules", in: "`validation`",
			changes: []change{{file: "validation/wanted.go", before: "DerivedAttributes: e.DerivedAttributes", text: "Affinity: e.Affinity, "}},
			red:     "./validation -run=TestRulesSeeEveryFieldOfARequest",
		},
	}
}

func TestAReleaseWithAField(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds what knows releases in a copy of the repository")
	}
	folder := tree(t, aRelease())
	suites(t, folder)
	converts(t, folder, "1.99", "apiVersion: resource.k8s.io/v1")
}
