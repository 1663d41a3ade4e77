package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// write does to a body what an API server does before it asks any webhook: defaults, prunes, validates.
func write(t *testing.T, version, kind, body string) (stored map[string]any, pruned []string, refusals field.ErrorList) {
	t.Helper()
	schema, props := structural(t, kind, version)
	if err := utiljson.Unmarshal([]byte(body), &stored); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	defaulting.Default(stored, schema)
	defaulting.PruneNonNullableNullsWithoutDefaults(stored, schema)
	pruned = pruning.PruneWithOptions(stored, schema, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	validator, _, err := schemavalidation.NewSchemaValidator(props)
	if err != nil {
		t.Fatal(err)
	}
	refusals = schemavalidation.ValidateCustomResource(nil, stored, validator)
	return stored, pruned, append(refusals, listtype.ValidateListSetsAndMaps(nil, schema, stored)...)
}

func TestSchemasKeepEveryUpstreamField(t *testing.T) {
	for _, k := range kinds {
		for file, sample := range upstreamSamples(t, k) {
			t.Run(file, func(t *testing.T) {
				stored, pruned, _ := write(t, k.version, k.kind, string(sample))
				if len(pruned) > 0 {
					t.Errorf("the schema drops %v", pruned)
				}
				back, err := json.Marshal(stored)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(decode(t, sample), decode(t, back)); diff != "" {
					t.Errorf("stored (-sent +stored):\n%s", diff)
				}
			})
		}
	}
}

// classic and devices wrap a part of a claim into the rest of it, so that a case shows only what it is about.
func classic(status string) string {
	return `{"metadata":{"name":"c"},"spec":{"resourceClassName":"class"},"status":` + status + `}`
}
func devices(spec string) string { return `{"metadata":{"name":"c"},"spec":{"devices":` + spec + `}}` }
func allocated(devices string) string {
	return `{"metadata":{"name":"c"},"status":{"allocation":{"devices":` + devices + `}}}`
}
func request(more string) string {
	return devices(`{"requests":[{"name":"r","deviceClassName":"class"` + more + `}]}`)
}
func exactly(more string) string {
	return devices(`{"requests":[{"name":"r","exactly":{"deviceClassName":"class"` + more + `}}]}`)
}
func reported(more string) string {
	return `{"status":{"devices":[{"driver":"d","pool":"p","device":"n"` + more + `}]}}`
}
func result(request, driver, pool, device string) string {
	return fmt.Sprintf(`{"request":%q,"driver":%q,"pool":%q,"device":%q}`, request, driver, pool, device)
}

// list of n items; %d in the item becomes its index.
func list(n int, item string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = strings.ReplaceAll(item, "%d", fmt.Sprint(i))
	}
	return "[" + strings.Join(items, ",") + "]"
}

const (
	consumer     = `{"resource":"pods","name":"p%d","uid":"u%d"}`
	opaqueConfig = `{"opaque":{"driver":"d.example.com","parameters":{}}}`
	bigParameter = 11 * 1024 // above the limit that 1.32 introduced
)

// The limits in bytes are for rules, whose words say which limit it is; a schema would count characters.
func TestSchemasLeaveLimitsInBytesToTheRules(t *testing.T) {
	tests := map[string]struct{ version, body string }{
		"a handle":                  {"v1alpha1", classic(`{"allocation":{"resourceHandle":"` + strings.Repeat("x", 16385) + `"}}`)},
		"data":                      {"v1alpha2", classic(`{"allocation":{"resourceHandles":[{"data":"` + strings.Repeat("x", 16385) + `"}]}}`)},
		"a driver":                  {"v1alpha2", classic(`{"driverName":"` + strings.Repeat("d", 64) + `"}`)},
		"a pool":                    {"v1alpha3", allocated(`{"results":[` + result("r", "d", strings.Repeat("p", 254), "n") + `]}`)},
		"data of a device":          {"v1", reported(`,"data":{"k":"` + strings.Repeat("x", bigParameter) + `"}`)},
		"a network interface":       {"v1", reported(`,"networkData":{"interfaceName":"` + strings.Repeat("x", 257) + `"}`)},
		"a condition's reason":      {"v1", reported(`,"conditions":[{"type":"","status":"Perhaps","reason":"` + strings.Repeat("-", 1025) + `"}]`)},
		"an expression":             {"v1", exactly(`,"derivedAttributes":[{"name":"` + strings.Repeat("a/", 99) + `","expression":"` + strings.Repeat("x", 10241) + `"}]`)},
		"a negative count":          {"v1", exactly(`,"count":-1`)},
		"entries beyond upstream's": {"v1", allocated(`{"config":` + list(65, `{"source":"FromClass","opaque":{"driver":"claimbridge.dev","parameters":{}}}`) + `}`)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, refusals := write(t, test.version, "ResourceClaim", test.body)
			for _, err := range refusals {
				t.Error(err)
			}
		})
	}
}

func TestSchemasAcceptWhatUpstreamAccepted(t *testing.T) {
	long := strings.Repeat("x", 16384)
	tests := map[string]struct{ version, kind, body string }{
		"empty allocation mode counts as the default": {"v1alpha1", "ResourceClaim",
			`{"spec":{"resourceClassName":"c","allocationMode":""}}`},
		"handle at the limit":        {"v1alpha1", "ResourceClaim", classic(`{"allocation":{"resourceHandle":"` + long + `"}}`)},
		"null status and lists":      {"v1alpha1", "ResourceClaim", classic(`null`)},
		"32 reservations":            {"v1alpha1", "ResourceClaim", classic(`{"reservedFor":` + list(32, consumer) + `}`)},
		"parameters without a group": {"v1alpha1", "ResourceClaim", `{"spec":{"resourceClassName":"c","parametersRef":{"kind":"ConfigMap","name":"p"}}}`},
		"what upstream's Go client writes for a structured handle": {"v1alpha2", "ResourceClaim",
			classic(`{"allocation":{"resourceHandles":[{"structuredData":{"vendorClassParameters":null,"vendorClaimParameters":null,"results":null}}]}}`)},
		"vendor parameters that are no objects": {"v1alpha2", "ResourceClaim",
			classic(`{"allocation":{"resourceHandles":[{"structuredData":{"vendorClassParameters":[1,{"a":null}],"vendorClaimParameters":"text","results":[{"vendorRequestParameters":7}]}}]}}`)},
		"32 handles at the limit": {"v1alpha2", "ResourceClaim",
			classic(`{"allocation":{"resourceHandles":` + list(32, `{"driverName":"d","data":"`+long+`"}`) + `}}`)},
		"two handles of one driver, none named": {"v1alpha2", "ResourceClaim", classic(`{"allocation":{"resourceHandles":[{},{}]}}`)},
		"100 results in a structured handle": {"v1alpha2", "ResourceClaim",
			classic(`{"allocation":{"resourceHandles":[{"structuredData":{"results":` + list(100, `{"namedResources":{"name":"n%d"}}`) + `}}]}}`)},
		"leftover of claimbridge": {"v1alpha2", "ResourceClaim", classic(`{"allocation":{},"claimbridgeLeftover":"{}"}`)},

		"claim without a spec":                            {"v1alpha3", "ResourceClaim", `{"metadata":{"name":"c"}}`},
		"template without a spec":                         {"v1alpha3", "ResourceClaimTemplate", `{"metadata":{"name":"c"}}`},
		"what upstream's Go client writes":                {"v1alpha3", "ResourceClaim", `{"metadata":{"creationTimestamp":null},"spec":{"devices":{"requests":null}},"status":{}}`},
		"empty device allocation mode":                    {"v1alpha3", "ResourceClaim", request(`,"allocationMode":"","count":0`)},
		"all devices, no count":                           {"v1alpha3", "ResourceClaim", request(`,"allocationMode":"All"`)},
		"a request without a class, which a rule refuses": {"v1alpha3", "ResourceClaim", devices(`{"requests":[{"name":"r"}]}`)},
		"32 requests":                                     {"v1alpha3", "ResourceClaim", devices(`{"requests":` + list(32, `{"name":"r%d","deviceClassName":"c"}`) + `}`)},
		"32 configurations":                               {"v1alpha3", "ResourceClaim", devices(`{"config":` + list(32, opaqueConfig) + `}`)},
		"a long expression":                               {"v1alpha3", "ResourceClaim", request(`,"selectors":[{"cel":{"expression":"` + long + `"}}]`)},
		"large parameters": {"v1alpha3", "ResourceClaim",
			devices(`{"config":[{"opaque":{"driver":"d","parameters":{"k":"` + strings.Repeat("x", bigParameter) + `"}}}]}`)},
		"32 results": {"v1alpha3", "ResourceClaim",
			allocated(`{"results":` + list(32, result("r", strings.Repeat("d", 63), strings.Repeat("p", 253), "n")) + `}`)},
		"64 configurations of an allocation": {"v1alpha3", "ResourceClaim",
			allocated(`{"config":` + list(64, `{"source":"FromClass","opaque":{"driver":"d","parameters":{}}}`) + `}`)},
		"a node selector with a term that says nothing": {"v1alpha3", "ResourceClaim",
			`{"status":{"allocation":{"nodeSelector":{"nodeSelectorTerms":[{}]}}}}`},
		"leftover of claimbridge beside devices": {"v1alpha3", "ResourceClaim", `{"status":{"claimbridgeLeftover":"{}","devices":[]}}`},
		"256 reservations":                       {"v1alpha3", "ResourceClaim", `{"status":{"reservedFor":` + list(256, consumer) + `}}`},
		"8 alternatives": {"v1alpha3", "ResourceClaim",
			devices(`{"requests":[{"name":"r","deviceClassName":"","firstAvailable":` + list(8, `{"name":"s%d","deviceClassName":"c"}`) + `}]}`)},
		"nulls of a client of 1.32": {"v1beta1", "ResourceClaim",
			`{"status":{"allocation":{"devices":{"results":[` + strings.Replace(result("r", "d", "p", "n"), "}", `,"adminAccess":null}`, 1) + `]}},"devices":[{"driver":"d","pool":"p","device":"n","conditions":null,"data":null}]}}`},
		"what a client of 1.36 writes": {"v1", "ResourceClaim", `{"metadata":{},"spec":{"devices":{"requests":null}},"status":{}}`},
		"an exact request of nothing":  {"v1", "ResourceClaim", devices(`{"requests":[{"name":"r","exactly":{"deviceClassName":""}}]}`)},
		"shares of one device": {"v1", "ResourceClaim",
			`{"status":{"devices":` + list(2, `{"driver":"d","pool":"p","device":"n","shareID":"%d"}`) + `}}`},
		"quantities in their spellings": {"v1", "ResourceClaim",
			exactly(`,"capacity":{"requests":{"a":1,"b":"1.5","c":"-.5","d":"+1e3","e":"1E-3","f":"10Gi","g":"100m","h":"1E","k":"5n"}}`)},
		"tolerations of all kinds": {"v1", "ResourceClaim",
			exactly(`,"tolerations":[{"operator":"","effect":"None","tolerationSeconds":-1},{"operator":"Exists","effect":"Later"}]`)},
		"32 derived attributes": {"v1beta1", "ResourceClaim", request(`,"derivedAttributes":` + list(32, `{"name":"a/b%d","expression":"1"}`))},
		"operations to skip": {"v1beta2", "ResourceClaim",
			allocated(`{"results":[` + strings.Replace(result("r", "d", "p", "n"), "}", `,"skipNodeOperations":["*","NodeSleep"]}`, 1) + `]}`)},
		"a request to free devices": {"v1", "ResourceClaim", `{"status":{"allocation":{},"claimbridgeDeallocationRequested":true}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, pruned, refusals := write(t, test.version, test.kind, test.body)
			if len(pruned) > 0 {
				t.Errorf("dropped %v", pruned)
			}
			for _, err := range refusals {
				t.Error(err)
			}
		})
	}
}
