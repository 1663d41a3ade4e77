package config_test

import (
	"slices"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const group = "claims.example.com"

// write is a kind of write.
type write struct {
	version, resource string
	operation         admissionregistrationv1.OperationType
}

// written lists all writes that the CRDs allow, except deletes.
func written(crds []*apiextensionsv1.CustomResourceDefinition) (all []write) {
	for _, crd := range crds {
		for _, version := range crd.Spec.Versions {
			if !version.Served {
				continue
			}
			all = append(all, write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Create},
				write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Update})
			if version.Subresources != nil && version.Subresources.Status != nil {
				all = append(all, write{
					version.Name, crd.Spec.Names.Plural + "/status", admissionregistrationv1.Update,
				})
			}
		}
	}
	return all
}

// matched lists the writes that rules match. Rules must not have wildcards.
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

// checkWrites checks that rules match exactly the wanted writes.
func checkWrites(t *testing.T, want, got []write) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no rule matches %v", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("a rule matches unknown write %v", g)
		}
	}
	if len(want) != len(got) {
		t.Errorf("want %d writes, got %d: a rule has duplicates", len(want), len(got))
	}
}

// hook is a webhook of either configuration, with the fields that both have.
func hook(t *testing.T, stream []byte, kind string) (w admissionregistrationv1.ValidatingWebhook) {
	t.Helper()
	i := slices.IndexFunc(documents(t, stream), func(o *unstructured.Unstructured) bool { return o.GetKind() == kind })
	var c admissionregistrationv1.ValidatingWebhookConfiguration
	must.Do(t, runtime.DefaultUnstructuredConverter.FromUnstructured(documents(t, stream)[i].Object, &c))
	return c.Webhooks[0]
}

const validating, mutating = "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"

// A write in any version is validated, and gets defaults in versions whose requests have counts, which a schema can't
// default.
func TestEveryWriteIsValidated(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Group: group, Certificates: mode})
		crds := typed[*apiextensionsv1.CustomResourceDefinition](t, stream)
		var counted []write
		for _, crd := range crds {
			for _, version := range crd.Spec.Versions {
				if _, devices := specSchema(crd, version).Properties["devices"]; devices {
					counted = append(counted, write{
						version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Create,
					},
						write{version.Name, crd.Spec.Names.Plural, admissionregistrationv1.Update})
				}
			}
		}
		checkWrites(t, written(crds), matched(hook(t, stream, validating).Rules))
		checkWrites(t, counted, matched(hook(t, stream, mutating).Rules))
		if len(written(crds)) != 5*len(api.Names()) {
			t.Errorf("want 5 kinds of writes in each version, got %v", written(crds))
		}
		// otherwise a later version would not be validated
		checkHook(t, hook(t, stream, validating), admissionregistrationv1.Equivalent)
		// otherwise writes in other versions would be converted unnecessarily
		checkHook(t, hook(t, stream, mutating), admissionregistrationv1.Exact)
		again := one[*admissionregistrationv1.MutatingWebhookConfiguration](t, stream).Webhooks[0].ReinvocationPolicy
		if *again != admissionregistrationv1.IfNeededReinvocationPolicy {
			t.Error("requests that another webhook adds would have no defaults")
		}
	}
}

func checkHook(
	t *testing.T, hook admissionregistrationv1.ValidatingWebhook, match admissionregistrationv1.MatchPolicyType,
) {
	t.Helper()
	for _, rule := range hook.Rules {
		if !slices.Equal(rule.APIGroups, []string{group}) || *rule.Scope != admissionregistrationv1.NamespacedScope {
			t.Errorf("a rule is for groups %q, scope %s", rule.APIGroups, *rule.Scope)
		}
	}
	if hook.NamespaceSelector != nil || hook.ObjectSelector != nil || hook.MatchConditions != nil ||
		*hook.MatchPolicy != match {
		t.Errorf("selectors and matchConditions must be empty, and matchPolicy is %s, want %s", *hook.MatchPolicy, match)
	}
	if *hook.FailurePolicy != admissionregistrationv1.Fail {
		t.Errorf("failurePolicy %s allows writes without validation", *hook.FailurePolicy)
	}
	if *hook.SideEffects != admissionregistrationv1.SideEffectClassNone {
		t.Errorf("sideEffects %s: dry runs would be rejected", *hook.SideEffects)
	}
	if !slices.Equal(hook.AdmissionReviewVersions, []string{"v1"}) {
		t.Errorf("reviews in %q", hook.AdmissionReviewVersions)
	}
}

// specSchema returns the schema of the spec of a claim, or of the claim in a template.
func specSchema(
	crd *apiextensionsv1.CustomResourceDefinition, version apiextensionsv1.CustomResourceDefinitionVersion,
) apiextensionsv1.JSONSchemaProps {
	spec := version.Schema.OpenAPIV3Schema.Properties["spec"]
	if crd.Spec.Names.Kind == "ResourceClaimTemplate" {
		spec = spec.Properties["spec"]
	}
	return spec
}

// A write makes a call to each webhook and up to three conversions, and fails when the first of them times out: a
// conversion after 30 s. Both webhooks and a conversion together must time out before the API server's
// --request-timeout of 60 s. Otherwise the user would not learn which of them failed.
func TestCallsTimeOutBeforeTheRequest(t *testing.T) {
	const conversion, request = 30, 60
	stream := manifests(t, config.Options{})
	defaulting, validation := *hook(t, stream, mutating).TimeoutSeconds, *hook(t, stream, validating).TimeoutSeconds
	if defaulting+validation+conversion >= request {
		t.Errorf("%d + %d + %d s", defaulting, validation, conversion)
	}
}
