package config_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func deployment(t *testing.T, stream []byte) (*appsv1.Deployment, corev1.Container) {
	t.Helper()
	d := one[*appsv1.Deployment](t, stream)
	if len(d.Spec.Template.Spec.Containers) != 1 {
		t.Fatal("want one container")
	}
	return d, d.Spec.Template.Spec.Containers[0]
}

func containerPort(container corev1.Container, name string) int32 {
	i := slices.IndexFunc(container.Ports, func(p corev1.ContainerPort) bool { return p.Name == name })
	if i < 0 {
		return 0
	}
	return container.Ports[i].ContainerPort
}

func TestEverySelectorFindsThePods(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Namespace: "gpu", Certificates: mode})
		d, _ := deployment(t, stream)
		selectors := 0
		for path, value := range leaves(t, stream) {
			_, label, found := strings.Cut(strings.Replace(path, "Service/spec/selector/", "/matchLabels/", 1),
				"/matchLabels/")
			if !found || strings.Contains(path, "/namespaceSelector/") {
				continue
			}
			selectors++
			if d.Spec.Template.Labels[label] != value {
				t.Errorf("%s: %s does not select the pods", mode, path)
			}
		}
		if selectors < 7 {
			t.Errorf("%s: got %d selectors, want those of Deployment, PodDisruptionBudget, NetworkPolicy, two Services, "+
				"topology spread and affinity", mode, selectors)
		}
	}
}

func TestEveryPortExists(t *testing.T) {
	stream := manifests(t, config.Options{Namespace: "gpu"})
	_, container := deployment(t, stream)
	for _, service := range typed[*corev1.Service](t, stream) {
		for _, port := range service.Spec.Ports {
			if containerPort(container, port.TargetPort.StrVal) == 0 {
				t.Errorf("service %s: there is no container port %v", service.Name, port.TargetPort)
			}
		}
	}
	if got, want := containerPort(container, "metrics"), ":8443"; got != 8443 ||
		!slices.Contains(container.Args, "--metrics-bind-address="+want) {
		t.Errorf("metrics are on container port %d, arguments %q", got, container.Args)
	}
	if got, want := containerPort(container, "health"), "--health-probe-bind-address=:8081"; got != 8081 ||
		!slices.Contains(container.Args, want) {
		t.Errorf("health probes are on container port %d, arguments %q", got, container.Args)
	}
	probes := []*corev1.Probe{container.StartupProbe, container.LivenessProbe, container.ReadinessProbe}
	for _, probe := range probes {
		scheme := cmp.Or(probe.HTTPGet.Scheme, corev1.URISchemeHTTP)
		if probe.HTTPGet.Port.StrVal != "health" || scheme != corev1.URISchemeHTTP {
			t.Errorf("probe of %s: port %v, scheme %s", probe.HTTPGet.Path, probe.HTTPGet.Port, scheme)
		}
	}
	for _, rule := range one[*networkingv1.NetworkPolicy](t, stream).Spec.Ingress {
		port := rule.Ports[0].Port.StrVal
		if containerPort(container, port) == 0 || (port == "webhook") != (len(rule.From) == 0) {
			t.Errorf("network policy: port %s is open to %v", port, rule.From)
		}
	}
}

func TestPrometheusFindsTheMetrics(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Namespace: "gpu", Certificates: mode})
		monitor := documents(t, manifests(t, config.Options{
			Namespace: "gpu", Certificates: mode, Only: config.MonitorPart,
		}))[0]
		selector, _, _ := unstructured.NestedStringMap(monitor.Object, "spec", "selector", "matchLabels")
		endpoints, _, _ := unstructured.NestedSlice(monitor.Object, "spec", "endpoints")
		endpoint, _ := endpoints[0].(map[string]any)
		var found []string
		for _, service := range typed[*corev1.Service](t, stream) {
			if labels.SelectorFromSet(selector).Matches(labels.Set(service.Labels)) &&
				service.Namespace == monitor.GetNamespace() {
				found = append(found, service.Name+":"+service.Spec.Ports[0].Name)
			}
		}
		if !slices.Equal(found, []string{"claimbridge-metrics:metrics"}) || endpoint["port"] != "metrics" {
			t.Errorf("%s: the monitor selects %q, port %v", mode, found, endpoint["port"])
		}
		name, _, _ := unstructured.NestedString(endpoint, "tlsConfig", "serverName")
		secret, _, _ := unstructured.NestedString(endpoint, "tlsConfig", "ca", "secret", "name")
		wantSecret := map[config.Certificates]string{config.Self: "claimbridge-ca"}[mode]
		if name != "claimbridge.gpu.svc" || secret != cmp.Or(wantSecret, "claimbridge-tls") {
			t.Errorf("%s: serverName is %s, with the CA of %s", mode, name, secret)
		}
	}
}

func TestCertificateIsMountedInCertDir(t *testing.T) {
	for _, mode := range []config.Certificates{config.CertManager, config.Files} {
		d, container := deployment(t, manifests(t, config.Options{Certificates: mode}))
		volume, mount := d.Spec.Template.Spec.Volumes[0], container.VolumeMounts[0]
		if volume.Name != mount.Name || volume.Secret.SecretName != "claimbridge-tls" ||
			!slices.Contains(container.Args, "--cert-dir="+mount.MountPath) {
			t.Errorf("%s: Secret %s is mounted at %s, arguments %q", mode, volume.Secret.SecretName, mount.MountPath,
				container.Args)
		}
	}
}

func TestPodsStopAfterTheirCalls(t *testing.T) {
	d, container := deployment(t, manifests(t, config.Options{}))
	const (
		shutdownTimeout = 30 * time.Second // the default of the flag
		clientTimeout   = 90 * time.Second // the idle timeout of API servers
	)
	argument := func(flag string) time.Duration {
		i := slices.IndexFunc(container.Args, func(arg string) bool { return strings.HasPrefix(arg, flag) })
		if i < 0 {
			t.Fatalf("no %s: pods stop while they are still called", flag)
		}
		return must.Get(time.ParseDuration(strings.TrimPrefix(container.Args[i], flag)))(t)
	}
	delay, idle := argument("--shutdown-delay="), argument("--shutdown-idle-timeout=")
	grace := time.Duration(*d.Spec.Template.Spec.TerminationGracePeriodSeconds) * time.Second
	if grace < delay+idle+shutdownTimeout {
		t.Errorf("killed after %s, but calls may take %s + %s + %s", grace, delay, idle, shutdownTimeout)
	}
	if idle <= clientTimeout {
		t.Errorf("idle connections are closed after %s, before clients close them", idle)
	}
	if ready := container.ReadinessProbe; delay < time.Duration(ready.PeriodSeconds)*time.Second {
		t.Errorf("the readiness probe runs every %d s, but the server stops after %s", ready.PeriodSeconds, delay)
	}
	// Kubernetes 1.29 and earlier reject a sleep action, and the image has no other program to run.
	if container.Lifecycle != nil {
		t.Error("there is a lifecycle hook")
	}
}

func TestAReplicaIsAlwaysAvailable(t *testing.T) {
	stream := manifests(t, config.Options{})
	d, container := deployment(t, stream)
	if *d.Spec.Replicas < 2 || d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntVal != 0 ||
		d.Spec.Strategy.RollingUpdate.MaxSurge.IntVal < 1 {
		t.Errorf("%d replicas, %v", *d.Spec.Replicas, d.Spec.Strategy.RollingUpdate)
	}
	if one[*policyv1.PodDisruptionBudget](t, stream).Spec.MaxUnavailable.IntVal != 1 {
		t.Error("the disruption budget allows more than one unavailable replica")
	}
	memory := container.Env[slices.IndexFunc(container.Env, func(e corev1.EnvVar) bool {
		return e.Name == "GOMEMLIMIT"
	})]
	if memory.ValueFrom.ResourceFieldRef.Resource != "limits.memory" ||
		container.Resources.Limits.Memory().Value() < 8*64<<20 {
		t.Error("the largest body does not fit into an eighth of the memory")
	}
	quota := one[*corev1.ResourceQuota](t, stream).Spec.ScopeSelector.MatchExpressions[0].Values
	if !slices.Equal(quota, []string{d.Spec.Template.Spec.PriorityClassName}) {
		t.Errorf("pods have priority class %s, the quota is for %q", d.Spec.Template.Spec.PriorityClassName, quota)
	}
}
