package future

import (
	"path/filepath"
	"strings"
	"testing"
)

const name = "v2alpha1"

// aVersion that is newer than the stored one and says the same, as v1beta2 did beside v1beta1 before it was the other way round.
func aVersion(t *testing.T) []place {
	t.Helper()
	inVersion := []string{"resource.k8s.io/v1\"", "resource.k8s.io/" + name + `"`, "resource.k8s.io/v1\n", "resource.k8s.io/" + name + "\n"}
	var samples []change
	for _, pattern := range []string{
		"api/testdata/upstream/resource.k8s.io.v1.*", "api/testdata/clients/v1.json", "test/testdata/typical/v1.json",
		"conversion/testdata/corpus/*-v1.yaml", "conversion/testdata/golden/*/v1.yaml",
	} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files match %s: %v", pattern, err)
		}
		for _, file := range files {
			from := strings.TrimPrefix(file, root+"/")
			at := strings.LastIndex(from, "v1")
			samples = append(samples, change{file: from[:at] + name + from[at+2:], from: from, replace: inVersion})
		}
	}
	return []place{
		{
			write: "types", in: "`api/<version>`",
			changes: []change{{file: "api/" + name, from: "api/v1beta2", replace: []string{"v1beta2", name}}},
			red:     "./api",
		},
		{
			write: "row", in: "`api/versions.go`",
			changes: []change{
				{file: "api/versions.go", before: ")\n\n// Group of", text: "\t\"github.com/claimbridge/claimbridge/api/" + name + "\"\n"},
				{file: "api/versions.go", before: "}\n\n// Versions are all", text: "\t{\n\t\tName: " + name + `.GroupVersion.Version, Release: "1.36", Since: "1.36", Gone: "1.40", Devices: true, Native: true, Exactly: true,
		AddToScheme: ` + name + `.AddGroupToScheme, SetDefaults: ` + name + ".SetDefaults,\n\t},\n"},
			},
			red: "./test -run=TestEveryVersionHasAllThatItNeeds",
		},
		{
			write: "step", in: "`conversion/internal/<version>`",
			changes: []change{{file: "conversion/internal/" + name + "/step.go", text: `// Package ` + name + ` is the step from v1, which says the same.
package ` + name + `

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/` + name + `"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	v1step "github.com/claimbridge/claimbridge/conversion/internal/v1"
)

// Step from v1.
var Step = chain.Step[v1.ResourceClaimSpec, v1.ResourceClaimStatus, v1.ResourceClaimSpec, v1.ResourceClaimStatus]{
	Old:  v1.GroupVersion.Version,
	New:  ` + name + `.GroupVersion.Version,
	Up:   v1step.Completed,
	Down: v1step.Completed,
}
`}},
			red: "./conversion",
		},
		{
			write: "line", in: "`conversion/chain.go`",
			changes: []change{
				{file: "conversion/chain.go", before: ")\n\n// links are", text: "\t\"github.com/claimbridge/claimbridge/conversion/internal/" + name + "\"\n"},
				{file: "conversion/chain.go", before: "}\n\n// versions that", text: "\t" + name + ".Step.Link(),\n"},
			},
			red: "./conversion -run=TestEveryVersionHasAStep",
		},
		{write: "samples", in: "`testdata`", changes: samples, red: "./test -run=TestEveryVersionHasAllThatItNeeds"},
	}
}

func TestAVersionBesideTheStoredOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds what knows versions in a copy of the repository")
	}
	folder := tree(t, aVersion(t))
	suites(t, folder)
	converts(t, folder, name, "apiVersion: resource.k8s.io/"+name)
}
