//go:build e2e

package troubleshooting

import (
	"context"
	"fmt"
	"os"
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
	dra "k8s.io/dynamic-resource-allocation/client"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
	"github.com/claimbridge/claimbridge/test/troubleshooting/quotes"
)

const errorsPage = "../../docs/errors.md"

// errorsMade are texts by a part of each, those that kubectl prints and those that nobody prints here, and why.
type errorsMade struct {
	Kubectl map[string]struct{ Cluster, Args, Stdin string }
	NotMade map[string]string
}

// TestErrorsAboutVersions has a cluster that serves v1 alone, as 1.34 and later do, one that serves betas, and one without the group.
func TestErrorsAboutVersions(t *testing.T) {
	t.Parallel()
	users := []plane.User{plane.Administrator, {Name: "system:serviceaccount:kube-system:cluster-autoscaler"}}
	newer := session(t, plane.Options{Users: users})
	older := session(t, plane.Options{Users: users, RuntimeConfig: "resource.k8s.io/v1=false,resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"})
	off := session(t, plane.Options{Users: users, RuntimeConfig: plane.WithoutClaims})
	var known errorsMade
	must.Do(t, yaml.UnmarshalStrict(must.Get(os.ReadFile("testdata/errors.yaml"))(t), &known))
	made := map[string]func(ctx context.Context) string{
		`no matches for kind "ResourceClaimTemplate" in version "resource.k8s.io/v1"`: older.mapping("ResourceClaimTemplate", "v1"),
		`no matches for kind "ResourceClaim" in version "resource.k8s.io/v1alpha3"`:   newer.mapping("ResourceClaim", "v1alpha3"),
		"failed to list *v1.ResourceClaim: the server": older.informer(func(f informers.SharedInformerFactory) cache.SharedIndexInformer {
			return f.Resource().V1().ResourceClaims().Informer()
		}),
		"failed to list *v1beta1.ResourceSlice": newer.informer(func(f informers.SharedInformerFactory) cache.SharedIndexInformer {
			return f.Resource().V1beta1().ResourceSlices().Informer()
		}),
		"resourceslices.resource.k8s.io is forbidden": newer.as(users[1].Name).informer(func(f informers.SharedInformerFactory) cache.SharedIndexInformer {
			return f.Resource().V1().ResourceSlices().Informer()
		}),
		"(get deviceclasses.resource.k8s.io)": func(ctx context.Context) string {
			_, err := kubernetes.NewForConfigOrDie(off.config).ResourceV1().DeviceClasses().List(ctx, metav1.ListOptions{})
			return fmt.Sprint(err)
		},
		"interface conversion": older.updatesStatus,
	}
	for part, command := range known.Kubectl {
		made[part] = map[string]seer{"newer": newer, "older": older, "off": off}[command.Cluster].kubectl(command.Stdin, strings.Fields(command.Args)...)
	}
	newer.Kubectl(t, []byte("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: default}\n"), "apply", "-f", "-")
	claim := known.Kubectl[`from "STDIN": no matches for kind "ResourceClaim" in version "resource.k8s.io/v1"`].Stdin
	newer.Kubectl(t, []byte(claim), "create", "-f", "-")
	older.Kubectl(t, []byte(strings.Replace(claim, "/v1\n", "/v1beta2\n", 1)), "create", "-f", "-")

	all := must.Get(quotes.Read(errorsPage))(t)
	open := map[quotes.Quote]bool{}
	for _, q := range all {
		open[q] = true
	}
	of := func(part string) quotes.Quote {
		q, err := quotes.Named(all, part)
		if err != nil {
			t.Error(strings.ReplaceAll(err.Error(), "troubleshooting.md", "errors.md"))
		}
		delete(open, q)
		return q
	}
	for part := range known.NotMade {
		of(part)
	}
	for part, produce := range made {
		q := of(part)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if got := produce(ctx); !q.In(got) {
			t.Errorf("docs/errors.md has\n\t%s\nand what is seen is\n\t%s", q, got)
		} else if output, err := newer.Try(ctx, "claimbridge explain '"+strings.ReplaceAll(got, "'", `'\''`)+"'"); err != nil {
			t.Errorf("%s: it is not explained: %s", got, output)
		}
		cancel()
	}
	for q := range open {
		t.Errorf("nobody makes: %s", q)
	}
}

// seer is somebody who works with a cluster.
type seer struct {
	*shell.Shell
	plane  *plane.Plane
	config *rest.Config
}

func session(t *testing.T, o plane.Options) seer {
	t.Helper()
	p := plane.New(t, o)
	return seer{shell.New(t, p.KubeconfigOf(t, plane.Administrator.Name, "default"), strings.TrimSuffix(built.Claimbridge(t), "/claimbridge")), p, p.Config}
}

func (s seer) as(user string) seer {
	s.config = s.plane.As(user)
	return s
}

func (s seer) kubectl(stdin string, args ...string) func(context.Context) string {
	return func(ctx context.Context) string {
		output, _ := s.TryKubectl(ctx, []byte(stdin), args...)
		return output
	}
}

// mapping is how controllers find the resource of a kind.
func (s seer) mapping(kind, version string) func(context.Context) string {
	return func(context.Context) string {
		groups, err := restmapper.GetAPIGroupResources(discovery.NewDiscoveryClientForConfigOrDie(s.config))
		if err == nil {
			_, err = restmapper.NewDiscoveryRESTMapper(groups).RESTMapping(schema.GroupKind{Group: "resource.k8s.io", Kind: kind}, version)
		}
		if !meta.IsNoMatchError(err) {
			return fmt.Sprintf("not the error of a kind that is not there: %v", err)
		}
		return err.Error()
	}
}

// informer says the first thing that one has to complain of.
func (s seer) informer(of func(informers.SharedInformerFactory) cache.SharedIndexInformer) func(context.Context) string {
	return func(ctx context.Context) string {
		said := make(chan string, 1)
		informer := of(informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(s.config), 0))
		if err := informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			select {
			case said <- err.Error():
			default:
			}
		}); err != nil {
			return err.Error()
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go informer.RunWithContext(ctx)
		select {
		case text := <-said:
			return text
		case <-ctx.Done():
			return "nothing"
		}
	}
}

// updatesStatus as a driver does, with Kubernetes' own client for drivers.
func (s seer) updatesStatus(ctx context.Context) (said string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			said = fmt.Sprint(panicked)
		}
	}()
	client := dra.New(kubernetes.NewForConfigOrDie(s.config)).ResourceClaims("default")
	claim, err := client.Get(ctx, "gpu", metav1.GetOptions{})
	if err == nil {
		claim.Status = resourcev1.ResourceClaimStatus{}
		_, err = client.UpdateStatus(ctx, claim, metav1.UpdateOptions{})
	}
	return fmt.Sprint(err)
}
