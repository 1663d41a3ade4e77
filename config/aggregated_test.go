package config_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/claimbridge/claimbridge/config"
)

func aggregated(t *testing.T, o config.AggregatedOptions) []byte {
	t.Helper()
	text, err := config.AggregatedManifests(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// apiServices by name, and the rest.
func apiServices(t *testing.T, stream []byte) (services map[string]*unstructured.Unstructured, rest []byte) {
	t.Helper()
	services = map[string]*unstructured.Unstructured{}
	var others []string
	for document := range strings.SplitSeq(string(stream), "---\n") {
		object := documents(t, []byte(document))[0]
		if object.GetKind() == "APIService" {
			services[object.GetName()] = object
		} else {
			others = append(others, document)
		}
	}
	return services, []byte(strings.Join(others, "---\n"))
}

func TestAggregatedDefaultsAreWhatKustomizeRenders(t *testing.T) {
	for _, mode := range modes {
		rendered, err := os.ReadFile("rendered/aggregated-" + string(mode) + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(rendered), string(aggregated(t, config.AggregatedOptions{Certificates: mode}))); diff != "" {
			t.Errorf("%s:\n%s", mode, diff)
		}
	}
}

// Every value that differs from what is rendered differs as it should, and no value that should differ does not.
func TestEveryAggregatedValueMoves(t *testing.T) {
	for name, o := range map[string]config.AggregatedOptions{
		"names of one's own":    {Namespace: "gpu", Image: "registry.example.com:5000/a/b@sha256:" + strings.Repeat("0a", 32)},
		"numbers and words":     {Namespace: "0", Image: "true"},
		"defaults within names": {Namespace: "claimbridge-system-resource-k8s-io", Image: "claimbridge-system/v1beta1:v0.1.0"},
	} {
		for _, mode := range modes {
			t.Run(fmt.Sprintf("%s/%s", name, mode), func(t *testing.T) {
				before := leaves(t, aggregated(t, config.AggregatedOptions{Certificates: mode}))
				o.Certificates = mode
				after := leaves(t, aggregated(t, o))
				move := strings.NewReplacer(config.DefaultAggregatedImage, o.Image, config.DefaultNamespace, o.Namespace)
				for path, want := range before {
					if text, ok := want.(string); ok {
						want = move.Replace(text)
					}
					if after[path] != want {
						t.Errorf("%s: want %#v, got %#v", path, want, after[path])
					}
				}
				if len(before) != len(after) {
					t.Errorf("%d fields became %d", len(before), len(after))
				}
			})
		}
	}
}

func TestAPIServicesAreThoseOfTheVersions(t *testing.T) {
	priorities := map[string]float64{"v1alpha1": 1, "v1alpha2": 1, "v1alpha3": 1, "v1beta1": 9, "v1beta2": 15}
	for name, test := range map[string]struct{ asked, served []string }{
		"nothing asked":  {nil, []string{"v1beta1", "v1beta2"}},
		"one":            {[]string{"v1beta2"}, []string{"v1beta2"}},
		"an alpha alone": {[]string{"v1alpha2"}, []string{"v1alpha2"}},
		"all, any order": {[]string{"v1beta2", "v1alpha3", "v1alpha1", "v1beta1", "v1alpha2"}, config.AggregatedVersions},
	} {
		for _, mode := range modes {
			t.Run(name+"/"+string(mode), func(t *testing.T) {
				stream := aggregated(t, config.AggregatedOptions{Certificates: mode, Versions: test.asked, Namespace: "gpu"})
				services, rest := apiServices(t, stream)
				if len(services) != len(test.served) {
					t.Errorf("want %q, got %d", test.served, len(services))
				}
				var names []string
				for _, version := range test.served {
					names = append(names, version+".resource.k8s.io")
					service := services[version+".resource.k8s.io"]
					if service == nil {
						t.Fatalf("there is none for %s", version)
					}
					want := map[string]any{
						"group": "resource.k8s.io", "version": version, "groupPriorityMinimum": float64(16200), "versionPriority": priorities[version],
						"service": map[string]any{"name": "claimbridge-apiserver", "namespace": "gpu", "port": float64(443)},
					}
					if diff := cmp.Diff(want, service.Object["spec"]); diff != "" {
						t.Error(diff)
					}
					// With this label the API server would take it for its own, and delete or rewrite it.
					if _, managed := service.GetLabels()["kube-aggregator.kubernetes.io/automanaged"]; managed {
						t.Error("it is labelled as the API server's own")
					}
					inject := map[string]string{"cert-manager.io/inject-ca-from": "gpu/claimbridge-apiserver-tls"}
					if got := service.GetAnnotations(); mode == config.CertManager && !cmp.Equal(inject, got) || mode != config.CertManager && len(got) > 0 {
						t.Errorf("annotations %v", got)
					}
				}
				if args := aggregatedContainer(t, rest).Args; !slices.Contains(args, "--versions="+strings.Join(test.served, ",")) {
					t.Errorf("arguments %q", args)
				}
				// With a right to another one its account could turn a version of the cluster's own elsewhere.
				var mayPatch []string
				for _, r := range rights(t, rest) {
					if r.resource == "apiservices.apiregistration.k8s.io" && r.verb == "patch" {
						mayPatch = append(mayPatch, r.name)
					}
				}
				if mode != config.Self {
					names = nil
				}
				if !slices.Equal(mayPatch, names) {
					t.Errorf("it may patch %q", mayPatch)
				}
			})
		}
	}
}

func TestTheCAReachesEveryAPIService(t *testing.T) {
	bundle := slices.Concat(certificate(t, true), certificate(t, true))
	services, _ := apiServices(t, aggregated(t, config.AggregatedOptions{Certificates: config.Files, CABundle: bundle, Versions: config.AggregatedVersions}))
	for name, service := range services {
		if got, _, _ := unstructured.NestedString(service.Object, "spec", "caBundle"); got != base64.StdEncoding.EncodeToString(bundle) {
			t.Errorf("%s: the caBundle is %q", name, got)
		}
	}
	if len(services) != 5 {
		t.Errorf("there are %d", len(services))
	}
	for _, mode := range modes { // whoever writes it owns the field
		if stream := aggregated(t, config.AggregatedOptions{Certificates: mode}); strings.Contains(string(stream), "caBundle") {
			t.Errorf("%s: there is a caBundle without a CA", mode)
		}
	}
}

// One apply is enough: what others need comes before them. APIServices are last, since from then on namespaces wait for the server.
func TestAggregatedOrder(t *testing.T) {
	for _, mode := range modes {
		objects := documents(t, aggregated(t, config.AggregatedOptions{Certificates: mode}))
		kinds := make([]string, len(objects))
		for i, object := range objects {
			kinds[i] = object.GetKind()
		}
		if kinds[0] != "Namespace" || !slices.Equal(kinds[len(kinds)-3:], []string{"Deployment", "APIService", "APIService"}) {
			t.Errorf("%s: %q", mode, kinds)
		}
		whole := titles(objects)
		var parts []string
		for _, part := range []config.Part{config.ServerPart, config.APIServicesPart} {
			parts = append(parts, titles(documents(t, aggregated(t, config.AggregatedOptions{Certificates: mode, Only: part})))...)
		}
		if !slices.Equal(whole, parts) {
			t.Errorf("%s: the parts are\n%q\nthe whole is\n%q", mode, parts, whole)
		}
		for _, object := range objects {
			want := "claimbridge-apiserver"
			if object.GetKind() == "Namespace" { // which both servers have
				want = "claimbridge"
			}
			if got := object.GetLabels()["app.kubernetes.io/name"]; got != want {
				t.Errorf("%s: %s %s is labelled %q", mode, object.GetKind(), object.GetName(), got)
			}
		}
	}
}

// Both servers may live in one namespace: but for that they share no object, and neither selects the pods of the other.
func TestBothServersFitIntoOneNamespace(t *testing.T) {
	for _, mode := range modes {
		webhook := titles(documents(t, manifests(t, config.Options{Certificates: mode})))
		for _, title := range titles(documents(t, aggregated(t, config.AggregatedOptions{Certificates: mode}))) {
			if slices.Contains(webhook, title) && title != "Namespace /claimbridge-system" {
				t.Errorf("%s: both have %s", mode, title)
			}
		}
		a, b := documents(t, manifests(t, config.Options{Certificates: mode}))[0], documents(t, aggregated(t, config.AggregatedOptions{Certificates: mode}))[0]
		if diff := cmp.Diff(a.Object, b.Object); diff != "" {
			t.Errorf("%s: the namespace\n%s", mode, diff)
		}
	}
}

func aggregatedContainer(t *testing.T, stream []byte) corev1.Container {
	t.Helper()
	return one[*appsv1.Deployment](t, stream).Spec.Template.Spec.Containers[0]
}

func TestTheWayToTheAggregatedServer(t *testing.T) {
	for _, mode := range modes {
		_, stream := apiServices(t, aggregated(t, config.AggregatedOptions{Certificates: mode}))
		d, service := one[*appsv1.Deployment](t, stream), one[*corev1.Service](t, stream)
		container, pods := aggregatedContainer(t, stream), labels.Set(d.Spec.Template.Labels)
		for name, selector := range map[string]map[string]string{
			"deployment": d.Spec.Selector.MatchLabels, "service": service.Spec.Selector,
			"disruption budget": one[*policyv1.PodDisruptionBudget](t, stream).Spec.Selector.MatchLabels,
			"network policy":    one[*networkingv1.NetworkPolicy](t, stream).Spec.PodSelector.MatchLabels,
			"spread":            d.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
			"spread over zones": d.Spec.Template.Spec.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution[0].PodAffinityTerm.LabelSelector.MatchLabels,
		} {
			if len(selector) == 0 || !labels.SelectorFromSet(selector).Matches(pods) {
				t.Errorf("%s: the %s selects %v", mode, name, selector)
			}
		}
		port := service.Spec.Ports[0]
		if service.Name != "claimbridge-apiserver" || port.Port != 443 || containerPort(container, port.TargetPort.StrVal) != 8443 || !slices.Contains(container.Args, "--secure-port=8443") {
			t.Errorf("%s: %s %v leads to %v, arguments %q", mode, service.Name, port, container.Ports, container.Args)
		}
		for _, probe := range []*corev1.Probe{container.StartupProbe, container.LivenessProbe, container.ReadinessProbe} {
			if probe.HTTPGet.Port.StrVal != "https" || probe.HTTPGet.Scheme != corev1.URISchemeHTTPS {
				t.Errorf("a probe asks port %v with %s", probe.HTTPGet.Port, probe.HTTPGet.Scheme)
			}
		}
		if rule := one[*networkingv1.NetworkPolicy](t, stream).Spec.Ingress[0]; rule.Ports[0].Port.StrVal != "https" || len(rule.From) > 0 {
			t.Errorf("network policy: %v", rule)
		}
		if *d.Spec.Replicas < 2 || d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntVal != 0 || one[*policyv1.PodDisruptionBudget](t, stream).Spec.MaxUnavailable.IntVal != 1 {
			t.Errorf("%s: a moment without a pod is possible", mode)
		}
		quota := one[*corev1.ResourceQuota](t, stream).Spec.ScopeSelector.MatchExpressions[0].Values
		if !slices.Equal(quota, []string{d.Spec.Template.Spec.PriorityClassName}) {
			t.Errorf("pods are %s, the quota is for %q", d.Spec.Template.Spec.PriorityClassName, quota)
		}
	}
}

// What it may do is what the way it acts needs, and no more: a table of all of it.
func TestTheAggregatedServerMayDoNoMoreThanItNeeds(t *testing.T) {
	resources := []string{"resourceclaims", "resourceclaims/status", "resourceclaimtemplates", "deviceclasses", "resourceslices"}
	verbs := []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}
	own := func(resources, verbs []string) (all []right) {
		for _, resource := range resources {
			for _, verb := range verbs {
				all = append(all, right{"", resource + ".resource.k8s.io", "", verb})
			}
		}
		return all
	}
	impersonate := func(mode string) (all []string) {
		for _, verb := range verbs {
			all = append(all, "impersonate-on:"+mode+":"+verb)
		}
		return all
	}
	acting := map[config.ActAs][]right{
		config.Caller: slices.Concat(own(resources, verbs), own(resources, impersonate("user-info")), own(resources, impersonate("serviceaccount")),
			own([]string{"resourceclaims/binding"}, []string{"update", "patch"}),
			own([]string{"resourceclaims/driver"}, []string{"arbitrary-node:update", "arbitrary-node:patch"}),
			[]right{{"", "*.authentication.k8s.io", "", "impersonate:user-info"}, {"", "serviceaccounts.authentication.k8s.io", "", "impersonate:serviceaccount"}}),
		config.CallerLegacy: append(own([]string{"resourceclaims", "resourceclaimtemplates", "deviceclasses", "resourceslices"}, []string{"get"}),
			right{"", "users", "", "impersonate"}, right{"", "groups", "", "impersonate"}, right{"", "serviceaccounts", "", "impersonate"},
			right{"", "*.authentication.k8s.io", "", "impersonate"}),
		config.Nobody: own(resources, []string{"get", "list", "watch"}),
	}
	var guard []right
	for _, version := range config.Versions {
		guard = append(guard, right{"", "apiservices.apiregistration.k8s.io", version + ".resource.k8s.io", "get"})
	}
	for _, resource := range []string{"resourceclaims", "resourceclaimtemplates", "deviceclasses", "resourceslices"} {
		guard = append(guard, right{"", "customresourcedefinitions.apiextensions.k8s.io", resource + ".resource.k8s.io", "get"})
	}
	guard = append(guard, right{"default", "events", "", "create"})
	authority := []right{{"gpu", "secrets", "claimbridge-apiserver-ca", "get"}, {"gpu", "secrets", "claimbridge-apiserver-ca", "update"}}
	for _, version := range config.AggregatedByDefault {
		for _, verb := range []string{"get", "patch"} {
			authority = append(authority, right{"", "apiservices.apiregistration.k8s.io", version + ".resource.k8s.io", verb})
		}
	}
	for _, actor := range config.Actors {
		for _, mode := range modes {
			_, stream := apiServices(t, aggregated(t, config.AggregatedOptions{Namespace: "gpu", Certificates: mode, ActAs: actor}))
			want := slices.Concat(acting[actor], guard)
			if mode == config.Self {
				want = append(want, authority...)
			}
			order := func(a, b right) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
			if diff := cmp.Diff(slices.SortedFunc(slices.Values(want), order), slices.SortedFunc(slices.Values(rights(t, stream)), order), cmp.AllowUnexported(right{})); diff != "" {
				t.Errorf("%s, %s:\n%s", actor, mode, diff)
			}
			if args := aggregatedContainer(t, stream).Args; !slices.Contains(args, "--act-as="+string(actor)) {
				t.Errorf("%s: arguments %q", actor, args)
			}
			subject := rbacv1.Subject{Kind: "ServiceAccount", Name: "claimbridge-apiserver", Namespace: "gpu"}
			delegated := 0
			for _, b := range typed[*rbacv1.ClusterRoleBinding](t, stream) {
				if !slices.Equal(b.Subjects, []rbacv1.Subject{subject}) {
					t.Errorf("%s is for %v", b.Name, b.Subjects)
				}
				if b.RoleRef.Name == "system:auth-delegator" {
					delegated++
				}
			}
			for _, b := range typed[*rbacv1.RoleBinding](t, stream) {
				if !slices.Equal(b.Subjects, []rbacv1.Subject{subject}) {
					t.Errorf("%s is for %v", b.Name, b.Subjects)
				}
				if b.Namespace == "kube-system" && b.RoleRef.Name == "extension-apiserver-authentication-reader" {
					delegated++
				}
			}
			if delegated != 2 {
				t.Errorf("%s, %s: authentication and authorization are not delegated", actor, mode)
			}
		}
	}
}

func TestPrometheusFindsTheAggregatedServer(t *testing.T) {
	for mode, secret := range map[config.Certificates]string{config.CertManager: "claimbridge-apiserver-tls", config.Self: "claimbridge-apiserver-ca", config.Files: "claimbridge-apiserver-tls"} {
		_, stream := apiServices(t, aggregated(t, config.AggregatedOptions{Namespace: "gpu", Certificates: mode}))
		all := documents(t, aggregated(t, config.AggregatedOptions{Namespace: "gpu", Certificates: mode, Only: config.MonitorPart}))
		if got := titles(all); !slices.Equal(got, []string{"ServiceMonitor gpu/claimbridge-apiserver"}) {
			t.Fatalf("%s: %q", mode, got)
		}
		selector, _, _ := unstructured.NestedStringMap(all[0].Object, "spec", "selector", "matchLabels")
		endpoints, _, _ := unstructured.NestedSlice(all[0].Object, "spec", "endpoints")
		service := one[*corev1.Service](t, stream)
		want := []any{map[string]any{
			"port": service.Spec.Ports[0].Name, "path": "/metrics", "scheme": "https", "bearerTokenFile": "/var/run/secrets/kubernetes.io/serviceaccount/token",
			"tlsConfig": map[string]any{"serverName": "claimbridge-apiserver.gpu.svc", "ca": map[string]any{"secret": map[string]any{"name": secret, "key": "ca.crt"}}},
		}}
		if diff := cmp.Diff(want, endpoints); diff != "" || !labels.SelectorFromSet(selector).Matches(labels.Set(service.Labels)) {
			t.Errorf("%s: selector %v\n%s", mode, selector, diff)
		}
	}
}

func TestAggregatedOptionsThatCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		config.AggregatedOptions
		want string
	}{
		"v1":                       {config.AggregatedOptions{Versions: []string{"v1"}}, `version "v1": must be one of v1alpha1, v1alpha2, v1alpha3, v1beta1, v1beta2: v1 is the cluster's own`},
		"a version there is not":   {config.AggregatedOptions{Versions: []string{"v1beta1", "v2"}}, `version "v2"`},
		"an empty version":         {config.AggregatedOptions{Versions: []string{""}}, `version ""`},
		"an actor there is not":    {config.AggregatedOptions{ActAs: "root"}, `act as "root": must be one of caller, caller-legacy, nobody`},
		"a part of the webhooks'":  {config.AggregatedOptions{Only: config.CRDsPart}, `part "crds" of the aggregated API server: must be one of server, apiservices, monitor`},
		"the control plane":        {config.AggregatedOptions{Namespace: "kube-system"}, "name one for claimbridge alone"},
		"an image with a space":    {config.AggregatedOptions{Image: "a b"}, "must be the name of an image"},
		"certificates of nobody":   {config.AggregatedOptions{Certificates: "vault"}, `certificates "vault"`},
		"a CA that nobody asked":   {config.AggregatedOptions{CABundle: []byte("x")}, "a CA is only given with certificates=files"},
		"all mistakes at once":     {config.AggregatedOptions{Image: "A", ActAs: "b"}, `act as "b"`},
		"all mistakes, the others": {config.AggregatedOptions{Image: "A", ActAs: "b"}, `image "A"`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := config.AggregatedManifests(test.AggregatedOptions)
			if err == nil || !strings.Contains(err.Error(), test.want) || text != nil {
				t.Errorf("want %q in the error and no manifests, got %v", test.want, err)
			}
		})
	}
}
