package test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/clients"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// requirements of a version that has a row in the table of package api. A requirement may depend on those before it.
var requirements = []struct {
	// what is required. VERSION stands for the name of the version.
	what  string
	isMet func(v api.Version) bool
}{
	{
		"a row of claimReaders in validation/claim_readers.go",
		func(v api.Version) bool { return validation.Rules(v.Name, "") != nil },
	},
	{
		"its name in the rules of config/webhook/validating.yaml, without which no write in it is validated",
		hasValidatingWebhook,
	},
	{"published manifests, internal/conversion/testdata/corpus/PROJECT-VERSION.yaml", func(v api.Version) bool {
		files, err := filepath.Glob("../internal/conversion/testdata/corpus/*-" + v.Name + ".yaml")
		return err == nil && len(files) > 0
	}},
	{
		"a typical claim, test/testdata/typical/VERSION.json, with a status, which can be created and converted",
		isTypicalClaimAccepted,
	},
	{"upstream samples, api/testdata/upstream/resource.k8s.io.VERSION.KIND.json", func(v api.Version) bool {
		files, err := filepath.Glob("../api/testdata/upstream/resource.k8s.io." + v.Name + ".*.json")
		return err == nil && len(files) == 2
	}},
	{
		"a client of its release: a module file and VERSION.go in test/clients/client",
		func(v api.Version) bool {
			return fileExists("clients/client/" + clients.Modfile(clients.Releases[v.Name]))
		},
	},
	{
		"rows of README.md and docs/conversion.md, with its first release: see git grep v1alpha3",
		func(v api.Version) bool {
			return fileContains("../README.md", v.Name+" (") && fileContains("../docs/conversion.md", "\n| "+v.Name+" | ")
		},
	},
	{
		"objects of typed clients, api/testdata/clients/VERSION.json",
		func(v api.Version) bool { return fileExists("../api/testdata/clients/" + v.Name + ".json") },
	},
}

// TestEveryVersionIsComplete checks everything that a version needs in addition to its folder and its row in a table.
func TestEveryVersionIsComplete(t *testing.T) {
	for _, v := range api.Versions() {
		for _, requirement := range requirements {
			if !requirement.isMet(v) {
				t.Errorf("%s is in the table of versions, but this is missing: %s", v.Name,
					strings.ReplaceAll(requirement.what, "VERSION", v.Name))
				break // later requirements may depend on this one
			}
		}
	}
	folders := must.Get(filepath.Glob("../api/v[0-9]*"))(t)
	for _, folder := range folders {
		if name := filepath.Base(folder); !slices.Contains(api.Names(), name) {
			t.Errorf("%s has types, but there is no row for it in api/versions.go", name)
		}
	}
}

// TestUninstallingLeavesTheStoredVersion checks that the patches for an uninstall, in the documentation and in the
// Makefile, remove every version except the stored one.
func TestUninstallingLeavesTheStoredVersion(t *testing.T) {
	for file, delimiters := range map[string]struct{ before, after string }{
		"../docs/operations.md": {"crd resourceclaims.$group resourceclaimtemplates.$group --type=json -p '[", "]'"},
		"../Makefile":           {"ONE_VERSION = [", "]\n\n"},
	} {
		text := must.Get(os.ReadFile(file))(t)
		_, rest, _ := strings.Cut(string(text), delimiters.before)
		operations, _, _ := strings.Cut(rest, delimiters.after)
		patch, err := jsonpatch.DecodePatch([]byte("[" + strings.ReplaceAll(operations, "\\\n", "") + "]"))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, plural := range []string{api.ResourceClaims, api.ResourceTemplates} {
			definition := must.Get(os.ReadFile("../config/crd/bases/resource.k8s.io_" + plural + ".yaml"))(t)
			patched, err := patch.Apply(must.Get(yaml.YAMLToJSON(definition))(t))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			var crd apiextensionsv1.CustomResourceDefinition
			must.Do(t, json.Unmarshal(patched, &crd))
			for _, v := range crd.Spec.Versions {
				if v.Served != v.Storage {
					t.Errorf("%s: %s of %s: got served=%t, want %t", file, v.Name, plural, v.Served, v.Storage)
				}
			}
		}
	}
}

func fileExists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func fileContains(file, text string) bool {
	content, err := os.ReadFile(file)
	return err == nil && strings.Contains(string(content), text)
}

// hasValidatingWebhook reports whether all rules of the validating webhooks have a version.
func hasValidatingWebhook(v api.Version) bool {
	var configuration struct {
		Webhooks []struct {
			Rules []struct{ APIVersions []string }
		}
	}
	if err := readYAML("../config/webhook/validating.yaml", &configuration); err != nil {
		panic(err)
	}
	for _, webhook := range configuration.Webhooks {
		for _, rule := range webhook.Rules {
			if !slices.Contains(rule.APIVersions, v.Name) {
				return false
			}
		}
	}
	return len(configuration.Webhooks) > 0
}

// isTypicalClaimAccepted reports whether the typical claim of a version converts to each version and is valid.
func isTypicalClaimAccepted(v api.Version) bool {
	claim, err := os.ReadFile("testdata/typical/" + v.Name + ".json")
	if err != nil {
		return false
	}
	for _, version := range conversion.Versions() {
		if _, _, err := conversion.ConvertJSON(claim, version, conversion.Options{Strict: true}); err != nil {
			return false
		}
	}
	for _, request := range []validation.Request{
		{Operation: validation.Create, Object: claim},
		{Operation: validation.Update, OldObject: claim, Object: claim},
		{Operation: validation.UpdateStatus, OldObject: claim, Object: claim},
	} {
		result, err := validation.Validate(context.Background(), request)
		if err != nil || len(result.Errors) > 0 {
			return false
		}
	}
	return true
}

func readYAML(file string, into any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
