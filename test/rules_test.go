package test

import "testing"

// rule says what the packages of a room may import. For a package the rule with the longest room counts.
type rule struct {
	room string // folder, with those below it
	// only these, the standard library and the room itself may be imported; nil: anything not ruled out below.
	only []string
	// never imported.
	never []string
	// neverDeep is not even imported by what is imported.
	neverDeep []string
	// oneFile of the package may import each of these, no more.
	oneFile []string
	why     string
}

var rules = []rule{
	{
		room: "api",
		only: []string{
			"k8s.io/api/core", "k8s.io/apimachinery/pkg/apis/meta", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/types",
		},
		why: "types, and only types: whoever imports them should get nothing else",
	},
	{
		room: "api/internal/laterfields",
		only: append(ours("api"), "sigs.k8s.io/yaml"),
		why:  "it completes the generated definitions and does nothing else",
	},
	{
		room: "conversion",
		only: append(ours("api", "internal/kjson", "internal/names"), "k8s.io/api/core", "k8s.io/apimachinery", "sigs.k8s.io/json",
			"github.com/go-json-experiment/json"),
		never: []string{"net/http", "context", "time"},
		neverDeep: append(ours("validation", "webhook", "config", "cmd", "test"),
			"k8s.io/client-go", "k8s.io/apiserver", "sigs.k8s.io/controller-runtime"),
		why: "conversion is a pure function of its input: no clock, no caller, no network",
	},
	{
		room:  "conversion/internal/leftover",
		only:  append(ours("api", "internal/kjson", "internal/names"), "github.com/go-json-experiment/json"),
		never: ours("api/v1alpha1", "api/v1alpha2", "api/v1alpha3"),
		why:   "it knows how leftovers travel, and not what is in them: no version and no step",
	},
	{
		room:  "conversion/internal/chain",
		only:  ours("conversion/internal/leftover", "internal/kjson"),
		never: ours("api"),
		why:   "it walks any steps between any versions",
	},
	{
		room:  "conversion/internal/v1alpha2",
		only:  ours("api", "conversion/internal/chain", "conversion/internal/leftover", "internal/kjson", "internal/names"),
		never: ours("api/v1alpha3"),
		why:   "a step knows its two versions, and is closed for ever once both are released",
	},
	{
		room: "conversion/internal/v1alpha3",
		only: append(ours("api", "conversion/internal/chain", "conversion/internal/leftover", "conversion/internal/v1alpha2", "internal/kjson",
			"internal/names"), "k8s.io/apimachinery/pkg/runtime"),
		never: ours("api/v1alpha1"),
		why:   "a step knows its two versions, and what the step before it says of the older one",
	},
	{
		room: "internal/kjson",
		only: []string{"k8s.io/api/core", "sigs.k8s.io/json", "github.com/go-json-experiment/json"},
		why:  "it is the one place that walks over bytes, for whoever has some, and knows no claims",
	},
	{
		room: "internal/kjson/codec",
		only: append(ours("api", "internal/kjson"), "k8s.io/api/core", "k8s.io/apimachinery/pkg/types"),
		why:  "it is generated from the types of the API",
	},
	{
		room: "internal/kjson/jsongen",
		only: append(ours("internal/kjson"), "golang.org/x/tools/go/packages"),
		why:  "it writes the readers and writers of JSON by looking at types, and does nothing else",
	},
	{
		room: "internal/names",
		only: []string{"k8s.io/apimachinery/pkg/util/validation"},
		why:  "conversion asks it in every step: it knows names, and not what bears them",
	},
	{
		room: "internal/plainlog",
		only: []string{"github.com/go-logr/logr"},
		why:  "it stands before any sink of log lines, and knows none",
	},
	{
		room: "validation",
		only: append(ours("api", "conversion", "internal/kjson", "internal/names"), "k8s.io/api/core", "k8s.io/apimachinery", "sigs.k8s.io/json",
			"github.com/go-json-experiment/json"),
		never: []string{"net/http", "time", "k8s.io/client-go"},
		neverDeep: append(ours("webhook", "config", "cmd", "test"),
			"github.com/cert-manager/cert-manager", "sigs.k8s.io/controller-runtime"),
		why: "a rule is a pure function of old and new object; only selectors need more, and they have a package of their own",
	},
	{
		room: "validation/internal/selector",
		only: []string{
			"k8s.io/apimachinery", "k8s.io/apiserver", "k8s.io/dynamic-resource-allocation", "github.com/google/cel-go",
			"golang.org/x/sync/semaphore", "k8s.io/utils/lru",
		},
		never:   []string{"net/http", "time", "k8s.io/client-go"},
		oneFile: []string{"k8s.io/apiserver", "k8s.io/dynamic-resource-allocation"},
		why:     "it compiles CEL and bounds what that costs; it knows neither claims nor rules, and no clock but that of its caller",
	},
	{
		room: "validation/internal/rulesdoc",
		only: ours("validation"),
		why:  "it writes the page of the rules and does nothing else",
	},
	{
		room: "webhook",
		never: append(ours("config", "cmd", "webhook/webhooktest"),
			"sigs.k8s.io/controller-runtime/pkg/manager", "sigs.k8s.io/controller-runtime/pkg/cache",
			"k8s.io/client-go/informers", "k8s.io/client-go/tools/cache"),
		neverDeep: append(ours("config", "cmd", "test"), "sigs.k8s.io/controller-runtime/pkg/envtest", "google.golang.org/grpc"),
		oneFile:   []string{"github.com/cert-manager/cert-manager"},
		why: "the server must answer while the API server that calls it is itself starting: no manager, cache or informer on its way, " +
			"no test tools, certificates in one place, and no gRPC, whose templates keep every method in the program (decision 28)",
	},
	{
		room: "webhook/internal/review",
		only: append(ours("api", "conversion", "validation", "internal/kjson", "webhook/internal/metrics", "webhook/internal/refusal", "webhook/internal/loglimit"),
			"k8s.io/api/admission", "k8s.io/apimachinery", "k8s.io/utils/ptr", "sigs.k8s.io/controller-runtime/pkg/webhook/admission",
			"github.com/go-logr/logr", "github.com/go-json-experiment/json", "golang.org/x/sync/semaphore"),
		oneFile: []string{"golang.org/x/sync/semaphore"},
		why:     "it answers a review whoever serves it: it knows no connection, certificate or cluster",
	},
	{
		room: "webhook/internal/metricsauth",
		only: append(ours("webhook/internal/refusal"), "k8s.io/api/authentication", "k8s.io/api/authorization", "k8s.io/apimachinery",
			"k8s.io/apiserver/pkg/authentication", "k8s.io/client-go/rest", "github.com/go-logr/logr"),
		neverDeep: append(ours("conversion", "validation", "test"), "google.golang.org/grpc"),
		why:       "it asks a cluster who a reader of metrics is and whether they may, and knows neither metrics nor claims",
	},
	{
		room: "webhook/internal/metrics",
		only: append(ours("conversion", "validation", "internal/plainlog", "webhook/internal/loglimit"), "github.com/prometheus/client_golang/prometheus", "github.com/go-logr/logr"),
		why:  "it counts, and every value of a label is one that it knows",
	},
	{
		room: "webhook/internal/guard",
		only: append(ours("webhook/internal/metrics", "webhook/internal/refusal"), "github.com/go-logr/logr"),
		why:  "it stands around any endpoint",
	},
	{
		room: "webhook/internal/refusal",
		only: []string{},
		why:  "it is an HTTP error, whoever answers with it",
	},
	{
		room: "webhook/internal/loglimit",
		only: []string{"golang.org/x/time/rate"},
		why:  "it bounds lines of a log, whatever they say",
	},
	{
		room: "test/reviews",
		only: []string{"k8s.io/api/admission", "k8s.io/apiextensions-apiserver", "k8s.io/apimachinery", "github.com/go-logr/logr", "github.com/prometheus"},
		why:  "it has what tests send to a server, and must not know the server",
	},
	{
		room: "webhook/authority",
		only: []string{
			"k8s.io/api/core", "k8s.io/apimachinery", "k8s.io/utils/clock", "github.com/go-logr/logr", "github.com/cert-manager/cert-manager",
			"k8s.io/client-go/dynamic", "k8s.io/client-go/kubernetes/typed/core", "k8s.io/client-go/rest",
		},
		oneFile: []string{"github.com/cert-manager/cert-manager", "k8s.io/client-go/kubernetes/typed/core", "k8s.io/client-go/rest"},
		why:     "it knows certificates, one Secret and the bundles; it asks with small requests and never waits for a cache, nor knows who serves",
	},
	{
		room: "webhook/webhooktest",
		why:  "for the test suites of others: it may start an API server and install the manifests",
	},
	{
		room:      "webhook/preflight",
		neverDeep: ours("conversion", "validation", "webhook/webhooktest"),
		why:       "preflight looks at a cluster, not at claims",
	},
	{
		room: "config",
		only: []string{},
		why:  "it embeds manifests and must be importable by anyone at no cost",
	},
	{
		room:      "cmd",
		neverDeep: append(ours("webhook/webhooktest", "test"), "sigs.k8s.io/controller-runtime/pkg/envtest", "testing"),
		why:       "the program puts the rooms together, but ships no test tools",
	},
	{
		room:      "cmd/claimbridge/internal",
		never:     append(ours("webhook", "config"), "github.com/spf13", "k8s.io/client-go"),
		neverDeep: append(ours("webhook/webhooktest", "test"), "sigs.k8s.io/controller-runtime/pkg/envtest", "testing"),
		why:       "what is done with files knows no flags, no server and no cluster",
	},
	{
		room: "cmd/claimbridge/internal/claims",
		only: ours("api", "cmd/claimbridge/internal/manifest", "internal/kjson"),
		why:  "it says which objects are claims, whatever is done with them",
	},
	{
		room: "cmd/claimbridge/internal/input",
		only: ours("cmd/claimbridge/internal/manifest"),
		why:  "it walks files and folders, whatever is in them",
	},
	{
		room: "cmd/claimbridge/internal/manifest",
		only: append(ours("internal/kjson"), "github.com/go-json-experiment/json", "go.yaml.in/yaml/v3"),
		why:  "it reads and writes streams of objects, and knows no claims",
	},
	{
		room:      "cmd/claimbridge/internal/suggest",
		only:      []string{"github.com/spf13/cobra"},
		neverDeep: ours("api"),
		why:       "it compares names, with cobra's measure of typing errors",
	},
	{
		room: "test",
		why:  "tests of the whole may use the whole",
	},
	{
		room: "test/controlplane",
		only: ours("test/controlplane", "test/programs"),
		why:  "whoever needs a control plane gets its programs and nothing else",
	},
	{
		room: "test/clients",
		only: ours("test/clients", "test/programs"),
		why:  "it builds programs, each a module of its own, and knows nothing of claims",
	},
	{
		room: "test/programs",
		only: []string{"github.com/rogpeppe/go-internal/lockedfile"},
		why:  "it runs go build and keeps what comes out",
	},
	{
		room:  ".",
		never: ours("cmd"),
		why:   "the root holds no code",
	},
}

func ruleFor(room string) (found rule, ok bool) {
	for _, r := range rules {
		if within(room, r.room) && (!ok || len(r.room) > len(found.room)) {
			found, ok = r, true
		}
	}
	return found, ok
}

// The rules are only worth something if they fire.
func TestRulesFire(t *testing.T) {
	tests := map[string]struct {
		room          string
		imports, deps []string
		want          int
	}{
		"api may use core types":                  {room: "api/v1", imports: []string{"k8s.io/api/core/v1"}},
		"api may not use a room of ours":          {room: "api/v1", imports: ours("conversion"), want: 1},
		"conversion may use the standard library": {room: "conversion", imports: []string{"slices", "crypto/sha256"}},
		"conversion may not read a clock":         {room: "conversion", imports: []string{"time"}, want: 1},
		"conversion may not reach client-go through another package": {
			room: "conversion", imports: []string{"k8s.io/apimachinery/pkg/x"}, deps: []string{"k8s.io/client-go/rest"}, want: 1},
		"a prefix is not a parent":                        {room: "validation", imports: []string{"net/http2"}},
		"validation may not serve":                        {room: "validation", imports: []string{"net/http"}, want: 1},
		"the authority may ask an API server":             {room: "webhook/authority", imports: []string{"k8s.io/client-go/dynamic"}},
		"the authority may not keep a cache":              {room: "webhook/authority", imports: []string{"k8s.io/client-go/informers"}, want: 1},
		"the authority may not know claims":               {room: "webhook/authority", imports: ours("conversion"), want: 1},
		"webhook may use conversion":                      {room: "webhook", imports: ours("conversion", "validation")},
		"the handlers of reviews may not know who serves": {room: "webhook/internal/review", imports: ours("webhook"), want: 1},
		"webhook may not use the manifests":               {room: "webhook", imports: ours("config"), deps: ours("config"), want: 2},
		"webhooktest may use the manifests":               {room: "webhook/webhooktest", imports: ours("config"), deps: ours("config")},
		"config may use the standard library":             {room: "config", imports: []string{"embed"}},
		"config may not use anything else":                {room: "config", imports: []string{"sigs.k8s.io/yaml"}, want: 1},
		"the webhook may not bring gRPC by a detour":      {room: "webhook", deps: []string{"google.golang.org/grpc/codes"}, want: 1},
		"the program may not ship test tools":             {room: "cmd/claimbridge", deps: append(ours("test/objects"), "sigs.k8s.io/controller-runtime/pkg/envtest"), want: 2},
		"preflight may not convert, even by a detour":     {room: "webhook/preflight", deps: ours("conversion"), want: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, ok := ruleFor(test.room)
			if !ok {
				t.Fatalf("no rule for %s", test.room)
			}
			p := goPackage{ImportPath: module + "/" + test.room, Imports: test.imports, Deps: test.deps}
			if got := r.broken(p); len(got) != test.want {
				t.Errorf("want %d problems, got %q", test.want, got)
			}
		})
	}
}
