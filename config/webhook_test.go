package config_test

import (
	"slices"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/config"
)

const group = "claims.example.com"

// write is a kind of write that a client can make.
type write struct {
	version, resource string
	operation         admissionregistrationv1.OperationType
}

// written lists all writes that the definitions make possible, but deletes.
func written(crds []*apiextensionsv1.CustomResourceDefinition) (all []write) {
	for _, crd := range crds {
		for _, version := range crd.Spec.Versions {
			if !version.Served {
				continue
			}
			all = append(all, write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Create},
				write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Update})
			if version.Subresources != nil && version.Subresources.Status != nil {
				all = append(all, write{version.Name, crd.Spec.Names.Plural + "/status", admissionregistrationv1.Update})
			}
		}
	}
	return all
}

// matched lists what rules match. They name everything; a wildcard would be a surprise.
func matched(rules []admissionregistrationv1.RuleWithOperations) (all []write) {
	for _, rule := range rules {
		for _, version := range rule.APIVersions {
			for _, resource := range rule.Resources {
				for _, operation := range rule.Operations {
					all = append(all, write{version, resource, operation})
				}
			}
		}
	}
	return all
}

func sameWrites(t *testing.T, want, got []write) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no rule matches %v", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("a rule matches %v, which there is not", g)
		}
	}
	if len(want) != len(got) {
		t.Errorf("want %d rows, got %d: one is there twice", len(want), len(got))
	}
}

func TestEveryWriteIsJudged(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Group: group, Certificates: mode})
		crds := typed[*apiextensionsv1.CustomResourceDefinition](t, stream)
		hook := one[*admissionregistrationv1.ValidatingWebhookConfiguration](t, stream).Webhooks[0]
		sameWrites(t, written(crds), matched(hook.Rules))
		if len(written(crds)) != 5*len(api.Names()) {
			t.Errorf("want 5 kinds of writes in each version, got %v", written(crds))
		}
		if *hook.MatchPolicy != admissionregistrationv1.Equivalent {
			t.Error("a version that comes later would not be judged")
		}
		if hook.NamespaceSelector != nil || hook.ObjectSelector != nil || hook.MatchConditions != nil {
			t.Error("there is a way around the webhook")
		}
		checkHook(t, hook.Rules, hook.FailurePolicy, hook.SideEffects, hook.AdmissionReviewVersions)
	}
}

// A version whose requests have counts needs the webhook: no schema can default one.
func TestOnlyVersionsWithCountsGetDefaults(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Group: group, Certificates: mode})
		var counted []write
		for _, crd := range typed[*apiextensionsv1.CustomResourceDefinition](t, stream) {
			for _, version := range crd.Spec.Versions {
				if _, devices := atSpec(crd, version).Properties["devices"]; devices {
					counted = append(counted, write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Create},
						write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Update})
				}
			}
		}
		hook := one[*admissionregistrationv1.MutatingWebhookConfiguration](t, stream).Webhooks[0]
		sameWrites(t, counted, matched(hook.Rules))
		if *hook.MatchPolicy != admissionregistrationv1.Exact {
			t.Error("writes in other versions would be converted for nothing")
		}
		if *hook.ReinvocationPolicy != admissionregistrationv1.IfNeededReinvocationPolicy {
			t.Error("what another webhook adds would have no defaults")
		}
		if hook.NamespaceSelector != nil || hook.ObjectSelector != nil || hook.MatchConditions != nil {
			t.Error("there is a way around the webhook")
		}
		checkHook(t, hook.Rules, hook.FailurePolicy, hook.SideEffects, hook.AdmissionReviewVersions)
	}
}

// atSpec of a claim, in a template's too.
func atSpec(crd *apiextensionsv1.CustomResourceDefinition, version apiextensionsv1.CustomResourceDefinitionVersion) apiextensionsv1.JSONSchemaProps {
	spec := version.Schema.OpenAPIV3Schema.Properties["spec"]
	if crd.Spec.Names.Kind == "ResourceClaimTemplate" {
		spec = spec.Properties["spec"]
	}
	return spec
}

func checkHook(t *testing.T, rules []admissionregistrationv1.RuleWithOperations, failure *admissionregistrationv1.FailurePolicyType,
	effects *admissionregistrationv1.SideEffectClass, reviews []string) {
	t.Helper()
	for _, rule := range rules {
		if !slices.Equal(rule.APIGroups, []string{group}) || *rule.Scope != admissionregistrationv1.NamespacedScope {
			t.Errorf("a rule is for groups %q, scope %s", rule.APIGroups, *rule.Scope)
		}
	}
	if *failure != admissionregistrationv1.Fail {
		t.Errorf("failurePolicy %s lets writes pass that nobody judged", *failure)
	}
	if *effects != admissionregistrationv1.SideEffectClassNone {
		t.Errorf("sideEffects %s: dry runs would be refused", *effects)
	}
	if !slices.Equal(reviews, []string{"v1"}) {
		t.Errorf("reviews in %q", reviews)
	}
}

// A write makes a call to each webhook and up to three conversions, and the first that hangs ends it: a conversion after 30 s. With both calls
// that must end before an API server's --request-timeout of 60 s, or the user does not hear which of them failed.
func TestCallsEndBeforeTheRequestDoes(t *testing.T) {
	const conversion, request = 30, 60
	stream := manifests(t, config.Options{})
	mutating := *one[*admissionregistrationv1.MutatingWebhookConfiguration](t, stream).Webhooks[0].TimeoutSeconds
	validating := *one[*admissionregistrationv1.ValidatingWebhookConfiguration](t, stream).Webhooks[0].TimeoutSeconds
	if mutating+validating+conversion >= request {
		t.Errorf("%d + %d + %d s", mutating, validating, conversion)
	}
}

func TestCRDsAreApprovedWhereTheyMustBe(t *testing.T) {
	for group, want := range map[string]bool{
		"resource.k8s.io": true, "k8s.io.example.com": false, "claims.kubernetes.io": true, "notk8s.io": false,
	} {
		for _, crd := range typed[*apiextensionsv1.CustomResourceDefinition](t, manifests(t, config.Options{Group: group})) {
			value, got := crd.Annotations[apiextensionsv1.KubeAPIApprovedAnnotation]
			if got != want {
				t.Errorf("%s: annotation %q", crd.Name, value)
			}
		}
	}
}

// With cert-manager its cainjector writes all four caBundles; elsewhere it must not look at them.
func TestCertManagerInjectsTheCA(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Namespace: "gpu", Certificates: mode})
		injected := 0
		for _, object := range documents(t, stream) {
			from, ok := object.GetAnnotations()["cert-manager.io/inject-ca-from"]
			if !ok {
				continue
			}
			injected++
			if from != "gpu/claimbridge-tls" {
				t.Errorf("%s %s: injected from %s", object.GetKind(), object.GetName(), from)
			}
		}
		if want := map[config.Certificates]int{config.CertManager: 4}[mode]; injected != want {
			t.Errorf("%s: want %d objects that a CA is injected into, got %d", mode, want, injected)
		}
	}
}

// Services that configurations call.
func clients(t *testing.T, stream []byte) (paths map[string]metav1.ObjectMeta, ports map[string]int32) {
	t.Helper()
	paths, ports = map[string]metav1.ObjectMeta{}, map[string]int32{}
	for _, crd := range typed[*apiextensionsv1.CustomResourceDefinition](t, stream) {
		if crd.Spec.Conversion.Strategy != apiextensionsv1.WebhookConverter {
			t.Errorf("%s is converted by %s", crd.Name, crd.Spec.Conversion.Strategy)
		}
		s := crd.Spec.Conversion.Webhook.ClientConfig.Service
		paths[*s.Path], ports[*s.Path] = metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}, *s.Port
	}
	add := func(s *admissionregistrationv1.ServiceReference) {
		paths[*s.Path], ports[*s.Path] = metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}, *s.Port
	}
	add(one[*admissionregistrationv1.MutatingWebhookConfiguration](t, stream).Webhooks[0].ClientConfig.Service)
	add(one[*admissionregistrationv1.ValidatingWebhookConfiguration](t, stream).Webhooks[0].ClientConfig.Service)
	return paths, ports
}
