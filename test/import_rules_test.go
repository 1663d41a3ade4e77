package test

import "testing"

// rule restricts the imports of the packages in a folder. For a package, the rule with the longest path applies. The
// module bridge has no rules: it cannot import this module (decision 30).
type rule struct {
	// path is a folder. The rule applies to the packages in it and below it.
	path string
	// only has the allowed imports, in addition to the standard library and to packages below the importing one. If it
	// is nil, all imports are allowed that the fields below do not exclude.
	only []string
	// never has imports that are not allowed.
	never []string
	// neverTransitively has imports that are not allowed directly or indirectly.
	neverTransitively []string
	// oneFile has imports that only one file of the package may have.
	oneFile []string
	// why is the reason for the rule.
	why string
}

// rules is the table of rules.
var rules = []rule{
	{
		path: "api",
		only: append(importPaths("api/v1", "api/v1alpha2", "api/v1beta1"),
			"k8s.io/api/core", "k8s.io/apimachinery/pkg/api/resource", "k8s.io/apimachinery/pkg/apis/meta",
			"k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/types",
		),
		why: "types, and nothing else, so that importers get no other dependencies; types that a later version also has " +
			"are aliases",
	},
	{
		path: "api/internal/loosen",
		only: []string{"sigs.k8s.io/yaml"},
		why:  "it relaxes the generated definitions, and does nothing else",
	},
	{
		path: "conversion",
		only: append(importPaths("internal/conversion"), "k8s.io/apimachinery/pkg/runtime"),
		why:  "it is the public part of internal/conversion",
	},
	{
		path: "internal/conversion",
		only: append(importPaths("api", "internal/objectjson", "internal/names"), "k8s.io/api/core", "k8s.io/apimachinery",
			"sigs.k8s.io/json"),
		never: []string{"net/http", "context", "time"},
		neverTransitively: append(importPaths("validation", "webhook", "config", "internal/cli", "test"),
			"k8s.io/client-go", "k8s.io/apiserver", "sigs.k8s.io/controller-runtime"),
		why: "conversion is a pure function of its input: no clock, no context, no network",
	},
	{
		path: "internal/conversion/hub",
		only: append(importPaths("api", "internal/objectjson", "internal/names"), "k8s.io/apimachinery/pkg/runtime"),
		why:  "it converts typed claims, and does not preserve data",
	},
	{
		path: "internal/conversion/preserve",
		only: append(
			importPaths("api", "internal/conversion/hub", "internal/objectjson", "internal/names", "internal/schemalimits"),
			"k8s.io/apimachinery"),
		never: importPaths("api/v1alpha1", "api/v1alpha2", "api/v1alpha3", "api/v1beta1", "api/v1beta2"),
		why:   "it preserves data of v1 for any older version",
	},
	{
		path: "internal/objectjson",
		only: []string{
			"github.com/go-json-experiment/json",
			"k8s.io/api/core/v1",
			"k8s.io/apimachinery/pkg/api/resource",
			"k8s.io/apimachinery/pkg/apis/meta",
			"k8s.io/apimachinery/pkg/runtime",
			"sigs.k8s.io/json",
		},
		why: "it splits and compares JSON text, and does not depend on claims",
	},
	{
		path: "internal/build",
		only: []string{"k8s.io/apimachinery/pkg/version", "k8s.io/component-base/version"},
		why:  "it returns the version of any program",
	},
	{
		path: "internal/names",
		only: []string{"k8s.io/apimachinery/pkg/util/validation"},
		why:  "conversion uses it in every step: it validates names, and does not depend on objects",
	},
	{
		path: "internal/schemalimits",
		only: importPaths("internal/objectjson"),
		why:  "it counts values of a JSON text, and does not depend on types",
	},
	{
		path: "internal/plainlog",
		only: []string{"github.com/go-logr/logr"},
		why:  "it wraps any sink of log lines, and does not depend on one",
	},
	{
		path: "validation",
		only: append(importPaths("api", "internal/conversion", "internal/objectjson", "internal/names"), "k8s.io/api/core",
			"k8s.io/apimachinery", "k8s.io/utils/net", "sigs.k8s.io/json",
			"github.com/go-json-experiment/json"),
		never: []string{"net/http", "time", "k8s.io/client-go"},
		neverTransitively: append(importPaths("webhook", "config", "internal/cli", "test", "validation/examples"),
			"github.com/cert-manager/cert-manager", "sigs.k8s.io/controller-runtime"),
		why: "a rule is a pure function of old and new object; only selectors need more, and they have a package of " +
			"their own",
	},
	{
		path: "validation/cel",
		only: []string{
			module + "/api",
			"k8s.io/apimachinery", "k8s.io/apiserver", "k8s.io/dynamic-resource-allocation", "github.com/google/cel-go",
			"golang.org/x/sync/semaphore", "k8s.io/utils/lru",
		},
		never:   []string{"net/http", "k8s.io/client-go"},
		oneFile: []string{"k8s.io/dynamic-resource-allocation", "time"},
		why: "it compiles CEL within limits; it depends on releases, but not on claims or rules, and only " +
			"timestamp.go needs times, which it parses",
	},
	{
		path: "validation/examples",
		only: []string{"embed", "path"},
		why:  "1.1 MB of data for the command line and for tests; programs that validate do not contain it",
	},
	{
		path: "webhook",
		never: append(importPaths("config", "internal/cli", "webhook/webhooktest"),
			"sigs.k8s.io/controller-runtime/pkg/manager", "sigs.k8s.io/controller-runtime/pkg/cache",
			"k8s.io/client-go/informers", "k8s.io/client-go/tools/cache"),
		neverTransitively: append(importPaths("certs", "config", "internal/cli", "test", "validation/examples"),
			"sigs.k8s.io/controller-runtime/pkg/envtest", "google.golang.org/grpc"),
		why: "the server must respond while the API server that calls it is starting: no manager, cache or informer, " +
			"no libraries that keep certificates (decision 13), and no gRPC, whose templates keep every method in " +
			"the program (decision 13)",
	},
	{
		path: "webhook/internal/review",
		only: append(importPaths("api", "internal/conversion", "validation", "internal/objectjson", "internal/schemalimits",
			"webhook/internal/metrics", "webhook/internal/httperror", "webhook/internal/loglimit"),
			"k8s.io/api/admission", "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "k8s.io/apimachinery",
			"k8s.io/utils/ptr",
			"sigs.k8s.io/controller-runtime/pkg/webhook/admission", "github.com/go-logr/logr",
			"github.com/go-json-experiment/json", "golang.org/x/sync/semaphore", "gomodules.xyz/jsonpatch/v2",
			"gopkg.in/evanphx/json-patch.v4"),
		oneFile: []string{"golang.org/x/sync/semaphore", "gopkg.in/evanphx/json-patch.v4"},
		why:     "it responds to reviews, and does not depend on connections, certificates or a cluster",
	},
	{
		path: "webhook/internal/metricsauth",
		only: append(importPaths("webhook/internal/httperror"), "k8s.io/api/authentication", "k8s.io/api/authorization",
			"k8s.io/apimachinery", "k8s.io/apiserver/pkg/authentication", "k8s.io/client-go/kubernetes/typed",
			"k8s.io/client-go/rest", "github.com/go-logr/logr"),
		neverTransitively: append(importPaths("internal/conversion", "validation", "test"), "google.golang.org/grpc"),
		why:               "it authenticates and authorizes clients of the metrics, and does not depend on metrics or claims",
	},
	{
		path: "webhook/internal/metrics",
		only: append(importPaths("internal/conversion", "validation", "internal/plainlog", "webhook/internal/loglimit",
			"webhook/internal/httperror"),
			"github.com/prometheus/client_golang/prometheus", "github.com/go-logr/logr"),
		why: "it counts requests and results, and all values of labels are constants",
	},
	{
		path: "webhook/internal/httperror",
		only: []string{},
		why:  "it is an HTTP error, and does not depend on endpoints",
	},
	{
		path: "webhook/internal/loglimit",
		only: []string{"golang.org/x/time/rate"},
		why:  "it limits log lines, and does not know their content",
	},
	{
		path: "certs",
		only: []string{
			"github.com/cert-manager/cert-manager/pkg/server/tls",
			"github.com/go-logr/logr",
			"github.com/prometheus/client_golang/prometheus",
			"k8s.io/api/core",
			"k8s.io/apimachinery",
			"k8s.io/client-go/dynamic",
			"k8s.io/client-go/kubernetes/typed/core",
			"k8s.io/client-go/rest",
			"k8s.io/client-go/tools/clientcmd",
			"k8s.io/utils/clock",
			"sigs.k8s.io/controller-runtime/pkg/certwatcher",
		},
		oneFile: []string{
			"github.com/cert-manager/cert-manager/pkg/server/tls/authority",
			"k8s.io/client-go/kubernetes/typed/core", "k8s.io/client-go/rest", "k8s.io/client-go/tools/clientcmd",
		},
		why: "it depends on certificates, one Secret and the caBundles, but not on the server: it sends small " +
			"requests, and never waits for a cache. It is the only package with the libraries that keep certificates up to date",
	},
	{
		path: "webhook/webhooktest",
		why:  "it is for other test suites: it may start an API server and install the manifests",
	},
	{
		path:              "webhook/preflight",
		neverTransitively: importPaths("internal/conversion", "validation", "webhook/webhooktest"),
		why:               "preflight checks a cluster, and does not read the content of claims",
	},
	{
		path: "config",
		only: []string{},
		why:  "it embeds manifests, and must add no dependencies to its importers",
	},
	{
		path: "cmd/claimbridge-proxy",
		only: append(importPaths("bridge", "internal/loopback", "internal/process", "internal/sidecar"),
			"k8s.io/client-go/rest"),
		neverTransitively: append(importPaths("validation", "webhook", "config", "test"), "k8s.io/client-go/kubernetes/typed",
			"sigs.k8s.io/controller-runtime", "github.com/spf13", "testing"),
		why: "it runs in every pod that has a sidecar, so it must be small",
	},
	{
		path: "cmd/claimbridge",
		only: importPaths("internal/cli"),
		neverTransitively: append(importPaths("webhook/webhooktest", "test"),
			"sigs.k8s.io/controller-runtime/pkg/envtest", "testing", "google.golang.org/grpc"),
		why: "the program contains no test tools, and no generic API server, which brings gRPC and etcd (decision 13)",
	},
	{
		path: "internal/cli",
		neverTransitively: append(importPaths("webhook/webhooktest", "test"),
			"sigs.k8s.io/controller-runtime/pkg/envtest", "testing", "google.golang.org/grpc"),
		why: "it connects the packages, and only cmd/claimbridge imports it",
	},
	{
		path:  "internal",
		never: append(importPaths("internal/cli", "webhook", "config"), "github.com/spf13", "k8s.io/client-go"),
		neverTransitively: append(importPaths("webhook/webhooktest", "test"),
			"sigs.k8s.io/controller-runtime/pkg/envtest", "testing"),
		why: "the code for files does not depend on flags, the server or a cluster",
	},
	{
		path: "internal/loopback",
		only: append(importPaths("bridge"), "k8s.io/apimachinery/pkg/util/wait", "k8s.io/client-go/rest", "k8s.io/klog/v2"),
		why:  "it serves the bridge on an address of this machine, in both programs",
	},
	{
		path: "internal/process",
		only: []string{"k8s.io/klog/v2"},
		why:  "it configures the logs and signals of both programs",
	},
	{
		path: "internal/sidecar",
		only: append(importPaths("bridge"), "k8s.io/apimachinery/pkg/util/wait", "k8s.io/client-go/rest",
			"k8s.io/client-go/util/cert", "k8s.io/klog/v2"),
		why: "it is the sidecar, and does not depend on flags",
	},
	{
		path: "internal/claims",
		only: importPaths("api", "internal/yamldoc", "internal/objectjson"),
		why:  "it recognizes claims, and does nothing else with them",
	},
	{
		path:  "internal/findings",
		never: importPaths("internal/migrate", "internal/batch", "internal/validate"),
		why:   "it has the findings of all commands, their rules and reports, and does not search for any",
	},
	{
		path: "internal/migrate",
		never: append(importPaths("internal/batch", "internal/terminal"),
			"context", "os", "golang.org/x"),
		why: "it converts a document and returns the result: it prints, writes and waits for nothing",
	},
	{
		path: "internal/files",
		only: []string{"github.com/rogpeppe/go-internal/diff", "golang.org/x/sync/errgroup"},
		why:  "it reads, compares and replaces files with any content",
	},
	{
		path: "internal/terminal",
		only: []string{"golang.org/x/term"},
		why:  "it writes any text to terminals",
	},
	{
		path: "internal/kustomization",
		only: importPaths("internal/files", "internal/input", "internal/yamldoc"),
		why:  "it reads kustomizations with any objects",
	},
	{
		path: "internal/variables",
		only: importPaths("validation", "internal/objectjson"),
		why:  "it finds variables in any object, and the checks that depend on their values",
	},
	{
		path: "internal/input",
		only: append(importPaths("internal/files", "internal/yamldoc"),
			"github.com/bmatcuk/doublestar/v4"),
		why: "it walks files and folders with any content",
	},
	{
		path: "internal/yamldoc",
		only: append(importPaths("internal/objectjson"), "github.com/go-json-experiment/json", "go.yaml.in/yaml/v3"),
		why:  "it reads and writes streams of objects, and does not depend on claims",
	},
	{
		path: "internal/yamledit",
		only: append(importPaths("internal/yamldoc", "internal/objectjson"), "go.yaml.in/yaml/v3"),
		why:  "it edits the text of any object, and does not depend on claims or files",
	},
	{
		path:              "internal/suggest",
		only:              []string{"github.com/spf13/cobra"},
		neverTransitively: importPaths("api"),
		why:               "it compares names, with cobra's distance for typing errors",
	},
	{
		path: "test",
		why:  "tests of the whole project may import everything",
	},
	{
		path: "test/testkit",
		only: append(importPaths("test/controlplane", "test/programs", "test/testkit"),
			"github.com/cert-manager/cert-manager/pkg/util/pki", "github.com/prometheus",
			"github.com/rogpeppe/go-internal/lockedfile", "golang.org/x/sys/unix"),
		neverTransitively: importPaths("api", "internal/cli", "config", "internal/conversion", "validation", "webhook"),
		why:               "all suites use it: it does not depend on claims or on the tested code",
	},
	{
		path:  ".",
		never: importPaths("internal/cli"),
		why:   "the root has no code",
	},
}

// ruleFor returns the rule of a folder.
func ruleFor(folder string) (found rule, ok bool) {
	for _, r := range rules {
		if within(folder, r.path) && (!ok || len(r.path) > len(found.path)) {
			found, ok = r, true
		}
	}
	return found, ok
}

// TestImportRulesReportViolations checks the rules with imports that are allowed, and others that are not.
func TestImportRulesReportViolations(t *testing.T) {
	tests := map[string]struct {
		folder        string
		imports, deps []string
		wantProblems  int
	}{
		"api may use core types": {folder: "api/v1", imports: []string{"k8s.io/api/core/v1"}},
		"api may not import internal packages": {
			folder: "api/v1", imports: importPaths("internal/conversion"), wantProblems: 1,
		},
		"conversion may use the standard library": {
			folder: "internal/conversion", imports: []string{"slices", "crypto/sha256"},
		},
		"conversion may not read a clock": {folder: "internal/conversion", imports: []string{"time"}, wantProblems: 1},
		"conversion may not reach client-go through another package": {
			folder:       "internal/conversion",
			imports:      []string{"k8s.io/apimachinery/pkg/x"},
			deps:         []string{"k8s.io/client-go/rest"},
			wantProblems: 1,
		},
		"net/http does not include net/http2": {folder: "validation", imports: []string{"net/http2"}},
		"webhook may not use the manifests": {
			folder: "webhook", imports: importPaths("config"), deps: importPaths("config"), wantProblems: 2,
		},
		"webhooktest may use the manifests": {
			folder: "webhook/webhooktest", imports: importPaths("config"), deps: importPaths("config"),
		},
		"config may not use anything else": {folder: "config", imports: []string{"sigs.k8s.io/yaml"}, wantProblems: 1},
		"the program may not contain test tools": {
			folder:       "cmd/claimbridge",
			deps:         append(importPaths("test/objects"), "sigs.k8s.io/controller-runtime/pkg/envtest"),
			wantProblems: 2,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, ok := ruleFor(test.folder)
			if !ok {
				t.Fatalf("no rule for %s", test.folder)
			}
			p := goPackage{ImportPath: module + "/" + test.folder, Imports: test.imports, Deps: test.deps}
			if got := r.violations(p); len(got) != test.wantProblems {
				t.Errorf("got the problems %q, want %d", got, test.wantProblems)
			}
		})
	}
}
