//go:build e2e

package troubleshooting

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/featuregate"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
	"github.com/claimbridge/claimbridge/test/troubleshooting/quotes"
	"github.com/claimbridge/claimbridge/validation"
)

const errorsPage = "../../docs/errors.md"

// producers are the kubectl commands that print texts of the page, by a part of the text.
type producers struct {
	Kubectl map[string]struct{ Cluster, Args, Stdin string }
}

const (
	autoscaler = "system:serviceaccount:kube-system:cluster-autoscaler"
	// statusWriter has the permissions to read claims and to write their status, like schedulers and drivers up to
	// Kubernetes 1.35.
	statusWriter = "system:serviceaccount:kube-system:status-writer"
)

// TestErrorsAboutVersions produces every text of docs/errors.md on API servers that serve only v1, only beta versions,
// no claims, or claims of claimbridge's definitions. It also runs the kubectl commands of the page that have no
// placeholder.
func TestErrorsAboutVersions(t *testing.T) {
	t.Parallel()
	users := []plane.User{plane.Administrator, {Name: autoscaler}, {Name: statusWriter}}
	const betas = "resource.k8s.io/v1=false,resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"
	clusters := map[string]client{
		"newer":       session(t, plane.Options{Users: users}),
		"older":       session(t, plane.Options{Users: users, RuntimeConfig: betas}),
		"off":         session(t, plane.Options{Users: users, RuntimeConfig: plane.WithoutClaims}),
		"definitions": session(t, plane.Options{Users: users, RuntimeConfig: plane.WithoutClaims}),
	}
	newer := clusters["newer"]
	var commands producers
	must.Do(t, yaml.UnmarshalStrict(must.Get(os.ReadFile("testdata/errors.yaml"))(t), &commands))
	newer.prepare(t)
	clusters["older"].Kubectl(t, []byte(strings.Replace(claimGPU, "/v1\n", "/v1beta2\n", 1)), "create", "-f", "-")
	clusters["definitions"].prepareDefinitions(t)

	produce := programs(clusters)
	maps.Copy(produce, errorsOf138())
	produce["must specify one of"] = newer.createPodThroughOldWebhook(t)
	for part, command := range commands.Kubectl {
		produce[part] = clusters[command.Cluster].kubectl(command.Stdin, strings.Fields(command.Args)...)
	}
	page := must.Get(quotes.Read(errorsPage))(t)
	unproduced := map[quotes.Quote]bool{}
	for _, quote := range page {
		unproduced[quote] = true
	}
	quoteWith := func(part string) quotes.Quote {
		quote, err := quotes.Find(page, part)
		if err != nil {
			t.Error(strings.ReplaceAll(err.Error(), "troubleshooting.md", "errors.md"))
		}
		delete(unproduced, quote)
		return quote
	}
	for part, output := range produce {
		quote := quoteWith(part)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if got := output(ctx); !quote.IsIn(got) {
			t.Errorf("docs/errors.md has\n\t%s\nand the program prints\n\t%s", quote, got)
		}
		cancel()
	}
	for quote := range unproduced {
		t.Errorf("no test produces: %s", quote)
	}
	newer.runCommandsOfPage(t)
}

// programs returns functions that return the errors of clients in Go, by a part of the text on the page.
func programs(clusters map[string]client) map[string]func(context.Context) string {
	newer, older := clusters["newer"], clusters["older"]
	type factory = informers.SharedInformerFactory
	type informer = cache.SharedIndexInformer
	return map[string]func(context.Context) string{
		`no matches for kind "ResourceClaimTemplate" in version "resource.k8s.io/v1"`: older.mapping("ResourceClaimTemplate",
			"v1"),
		`no matches for kind "ResourceClaim" in version "resource.k8s.io/v1alpha3"`: newer.mapping("ResourceClaim",
			"v1alpha3"),
		"failed to list *v1.ResourceClaim: the server": older.informer(func(f factory) informer {
			return f.Resource().V1().ResourceClaims().Informer()
		}),
		"failed to list *v1beta1.ResourceSlice": newer.informer(func(f factory) informer {
			return f.Resource().V1beta1().ResourceSlices().Informer()
		}),
		"failed to list *v1beta2.DeviceTaintRule": newer.informer(func(f factory) informer {
			return f.Resource().V1beta2().DeviceTaintRules().Informer()
		}),
		"resourceslices.resource.k8s.io is forbidden": newer.as(autoscaler).informer(func(f factory) informer {
			return f.Resource().V1().ResourceSlices().Informer()
		}),
		"devicetaintrules.resource.k8s.io is forbidden": newer.as(autoscaler).informer(func(f factory) informer {
			return f.Resource().V1beta2().DeviceTaintRules().Informer()
		}),
		"(get deviceclasses.resource.k8s.io)": func(ctx context.Context) string {
			classes := kubernetes.NewForConfigOrDie(clusters["off"].config).ResourceV1().DeviceClasses()
			_, err := classes.List(ctx, metav1.ListOptions{})
			return fmt.Sprint(err)
		},
		`resource="resourceclaims/binding"`: newer.as(statusWriter).updateStatus("gpu",
			func(status *resourcev1.ResourceClaimStatus) {
				status.Allocation = allocation.DeepCopy()
			}),
		`resource="resourceclaims/driver"`: newer.as(statusWriter).updateStatus("allocated",
			func(status *resourcev1.ResourceClaimStatus) {
				status.Devices = []resourcev1.AllocatedDeviceStatus{{Driver: "gpu.example.com", Pool: "a", Device: "a"}}
			}),
		`cannot update resource "resourceclaims/status"`: newer.as(autoscaler).updateStatus("gpu",
			func(*resourcev1.ResourceClaimStatus) {}),
	}
}

// errorsOf138 returns functions that return errors of Kubernetes 1.38. The tests of package oracle compare these errors
// with those of the release.
func errorsOf138() map[string]func(context.Context) string {
	const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":` +
		`{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"a","capacity":{"requests":{%s}}}}],` +
		`"constraints":[{"matchAttribute":%q}]}}}`
	validate := func(capacities, attribute string) func(context.Context) string {
		return func(ctx context.Context) string {
			result, err := validation.Validate(ctx, validation.Request{
				Operation: validation.Create, Release: "1.38", Object: fmt.Appendf(nil, claim, capacities, attribute),
			})
			return fmt.Sprint(result.Errors, err)
		}
	}
	const good = "gpu.example.com/numa"
	many := strings.Builder{}
	for i := range 33 {
		fmt.Fprintf(&many, `"a%d":"1",`, i)
	}
	return map[string]func(context.Context) string{
		`Invalid value: "gpu-memory"`: validate(`"gpu-memory":"1"`, good),
		"capacity.requests[memory]":   validate(`"memory":"-1"`, good),
		"Too many: 33":                validate(strings.TrimSuffix(many.String(), ","), good),
		"more than one slash":         validate(`"a":"1"`, "gpu.example.com/numa/node"),
		"unrecognized feature gate": func(context.Context) string {
			return fmt.Sprint(featuregate.NewFeatureGate().Set("DynamicResourceAllocation=true"))
		},
	}
}

const claimGPU = `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: default}
spec: {devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}
`

var allocation = resourcev1.AllocationResult{Devices: resourcev1.DeviceAllocationResult{
	Results: []resourcev1.DeviceRequestAllocationResult{
		{Request: "a", Driver: "gpu.example.com", Pool: "a", Device: "a"},
	},
}}

// prepare creates the objects in the texts: a claim, an allocated claim, and the permissions of statusWriter.
func (s client) prepare(t *testing.T) {
	t.Helper()
	objects := "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: default}\n---\n" +
		claimGPU + "---\n" + strings.Replace(claimGPU, "name: gpu", "name: allocated", 1)
	s.Kubectl(t, []byte(objects), "apply", "-f", "-")
	s.Run(t,
		"kubectl create clusterrole status-writer --verb=get,update,patch "+
			"--resource=resourceclaims.resource.k8s.io/status,resourceclaims.resource.k8s.io")
	s.Run(t, "kubectl create clusterrolebinding status-writer --clusterrole=status-writer --user="+statusWriter)
	allocate := s.updateStatus("allocated", func(status *resourcev1.ResourceClaimStatus) {
		status.Allocation = allocation.DeepCopy()
	})
	if got := allocate(t.Context()); got != "<nil>" {
		t.Fatal(got)
	}
}

// prepareDefinitions installs claimbridge's definitions of resource.k8s.io. The conversion of
// claims calls a Service that does not exist, and that of templates a server that closes the
// connection without a response.
func (s client) prepareDefinitions(t *testing.T) {
	t.Helper()
	s.Run(t,
		"claimbridge manifests --group=resource.k8s.io --certificates=self --only=crds | kubectl apply --server-side "+
			"-f -")
	s.Run(t,
		"kubectl wait --for=condition=Established --timeout=1m crd/resourceclaims.resource.k8s.io "+
			"crd/resourceclaimtemplates.resource.k8s.io")
	s.Run(t,
		`kubectl patch crd resourceclaims.resource.k8s.io --subresource=status --type=merge -p `+
			`'{"status":{"storedVersions":["v1alpha3","v1"]}}'`)
	aborts := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(aborts.Close)
	const patch = `[{"op":"replace","path":"/spec/conversion/webhook/clientConfig","value":{"url":"%s/convert",` +
		`"caBundle":"%s"}}]`
	text := fmt.Sprintf(patch, aborts.URL, bundleOf(aborts))
	s.Run(t, "kubectl patch crd resourceclaimtemplates.resource.k8s.io --type=json -p '"+text+"'")
}

// bundleOf returns the CA bundle for a test server, in base64.
func bundleOf(server *httptest.Server) string {
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return base64.StdEncoding.EncodeToString(block)
}

// createPodThroughOldWebhook returns a function that creates a valid pod and returns the error. A mutating webhook
// removes the name of its claim, like a webhook that decodes and encodes the pod with types of Kubernetes 1.30.
func (s client) createPodThroughOldWebhook(t *testing.T) func(context.Context) string {
	t.Helper()
	handle := func(_ context.Context, request admission.Request) admission.Response {
		raw := request.Object.Raw
		return admission.PatchResponseFromRaw(raw, bytes.Replace(raw, []byte(`,"resourceClaimName":"gpu"`), nil, 1))
	}
	server := httptest.NewTLSServer(&admission.Webhook{Handler: admission.HandlerFunc(handle)})
	t.Cleanup(server.Close)
	s.Kubectl(t, fmt.Appendf(nil, `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: old}
webhooks:
- name: old.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  objectSelector: {matchLabels: {webhook: old}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  clientConfig: {url: %q, caBundle: %s}
`, server.URL, bundleOf(server)), "create", "-f", "-")
	create := s.kubectl(`apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default, labels: {webhook: old}}
spec: {containers: [{name: a, image: a}], resourceClaims: [{name: gpu, resourceClaimName: gpu}]}
`, "create", "--dry-run=server", "-f", "-")
	return func(ctx context.Context) (got string) {
		_ = await.Until(ctx, func() error { // the API server needs a moment to read the configuration
			if got = create(ctx); strings.Contains(got, "created") {
				return errors.New(got)
			}
			return nil
		})
		return got
	}
}

var (
	kubectlCommand = regexp.MustCompile(`(?m)^    (kubectl .*)$`)
	placeholder    = regexp.MustCompile(`\b(FILE|NAMESPACE|KUBECONFIG|GROUP)\b`)
)

// runCommandsOfPage runs the kubectl commands of the page that have no placeholder.
func (s client) runCommandsOfPage(t *testing.T) {
	t.Helper()
	page := must.Get(os.ReadFile(errorsPage))(t)
	for _, command := range kubectlCommand.FindAllStringSubmatch(string(page), -1) {
		if !placeholder.MatchString(command[1]) {
			s.Run(t, command[1])
		}
	}
}

// client is a user of a cluster.
type client struct {
	*shell.Shell
	plane  *plane.Plane
	config *rest.Config
}

func session(t *testing.T, o plane.Options) client {
	t.Helper()
	p := plane.New(t, o)
	return client{
		shell.New(t, p.KubeconfigOf(t, plane.Administrator.Name, "default"),
			strings.TrimSuffix(built.Claimbridge(t), "/claimbridge")),
		p,
		p.Config,
	}
}

func (s client) as(user string) client {
	s.config = s.plane.As(user)
	return s
}

func (s client) kubectl(stdin string, args ...string) func(context.Context) string {
	return func(ctx context.Context) string {
		output, _ := s.TryKubectl(ctx, []byte(stdin), args...)
		return output
	}
}

// mapping returns a function that returns the error of a RESTMapper for a kind, as a controller gets it.
func (s client) mapping(kind, version string) func(context.Context) string {
	return func(context.Context) string {
		groups, err := restmapper.GetAPIGroupResources(discovery.NewDiscoveryClientForConfigOrDie(s.config))
		if err == nil {
			_, err = restmapper.NewDiscoveryRESTMapper(groups).RESTMapping(schema.GroupKind{
				Group: "resource.k8s.io", Kind: kind,
			},
				version)
		}
		if !meta.IsNoMatchError(err) {
			return fmt.Sprintf("want a NoMatch error, got %v", err)
		}
		return err.Error()
	}
}

// informer returns a function that runs an informer and returns its first error.
func (s client) informer(
	newInformer func(informers.SharedInformerFactory) cache.SharedIndexInformer,
) func(context.Context) string {
	return func(ctx context.Context) string {
		firstError := make(chan string, 1)
		informer := newInformer(informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(s.config), 0))
		if err := informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			select {
			case firstError <- err.Error():
			default:
			}
		}); err != nil {
			return err.Error()
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go informer.RunWithContext(ctx)
		select {
		case text := <-firstError:
			return text
		case <-ctx.Done():
			return "no error"
		}
	}
}

// updateStatus returns a function that writes the status of a claim and returns the error. The administrator reads the
// claim.
func (s client) updateStatus(name string, change func(*resourcev1.ResourceClaimStatus)) func(context.Context) string {
	return func(ctx context.Context) string {
		reader := kubernetes.NewForConfigOrDie(s.plane.Config).ResourceV1().ResourceClaims("default")
		claim, err := reader.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		change(&claim.Status)
		writer := kubernetes.NewForConfigOrDie(s.config).ResourceV1().ResourceClaims("default")
		_, err = writer.UpdateStatus(ctx, claim, metav1.UpdateOptions{})
		return fmt.Sprint(err)
	}
}
