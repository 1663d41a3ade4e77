package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/claimbridge/claimbridge/api"
)

// configuration has the fields that the two kinds of webhook configurations share.
type configuration = admissionregistrationv1.ValidatingWebhookConfiguration

var configurationKinds = []resource{validatingConfigurations, mutatingConfigurations}

// configuration returns the webhook configuration of a kind, or nil.
func (c *cluster) configuration(ctx context.Context, kind resource) (*configuration, error) {
	return get[configuration](ctx, c, kind, "", appName)
}

// webhook is an admission webhook of claimbridge's configurations for the group.
type webhook struct {
	admissionregistrationv1.ValidatingWebhook
	kind resource // of its configuration
}

// describe returns how reasons name the webhook.
func (w webhook) describe() string {
	return fmt.Sprintf("%s: webhooks[%s]", w.kind.describe("", appName), w.Name)
}

// admissionWebhooks returns the webhooks of the configurations that exist.
func (c *cluster) admissionWebhooks(ctx context.Context) (all []webhook, err error) {
	for _, kind := range configurationKinds {
		found, err := c.configuration(ctx, kind)
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		for _, w := range found.Webhooks {
			if slices.ContainsFunc(w.Rules, func(r rule) bool { return contains(r.APIGroups, c.Group) }) {
				all = append(all, webhook{w, kind})
			}
		}
	}
	return all, nil
}

func webhookConfigurationsExist(ctx context.Context, c *cluster) error {
	return each(configurationKinds, func(kind resource) error {
		found, err := c.configuration(ctx, kind)
		if err == nil && found == nil {
			return fmt.Errorf("%s does not exist", kind.describe("", appName))
		}
		return err
	})
}

// noWriteIsExempt reports fields that exempt writes from a webhook, and writes that no rule names.
func noWriteIsExempt(ctx context.Context, c *cluster) error {
	all, err := c.admissionWebhooks(ctx)
	if err != nil {
		return err
	}
	crds, err := c.definitions(ctx)
	if err != nil {
		return err
	}
	return errors.Join(
		each(all, func(w webhook) error {
			if fields := exclusions(w); len(fields) > 0 {
				return fmt.Errorf("%s is not called for some writes because of its %s", w.describe(),
					strings.Join(fields, ", "))
			}
			return nil
		}),
		each(configurationKinds, func(kind resource) error {
			var missing []string
			for _, crd := range crds {
				missing = append(missing, uncovered(all, kind, crd)...)
			}
			if len(missing) > 0 {
				return fmt.Errorf("%s has no rule for %s", kind.describe("", appName), strings.Join(missing, "; "))
			}
			return nil
		}),
	)
}

// exclusions returns the fields that exempt some writes from a webhook, at least while it cannot be called.
func exclusions(w webhook) (fields []string) {
	selects := func(s *metav1.LabelSelector) bool { return s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0 }
	if ptr.Deref(w.FailurePolicy, admissionregistrationv1.Fail) == admissionregistrationv1.Ignore {
		fields = append(fields, "failurePolicy Ignore")
	}
	if selects(w.NamespaceSelector) {
		fields = append(fields, "namespaceSelector")
	}
	if selects(w.ObjectSelector) {
		fields = append(fields, "objectSelector")
	}
	if len(w.MatchConditions) > 0 {
		fields = append(fields, "matchConditions")
	}
	return fields
}

type rule = admissionregistrationv1.RuleWithOperations

// uncovered returns the writes of a CRD that no webhook of a kind has a rule for, each with the versions. The mutating
// webhook sets defaults of versions with devices. A status has no defaults, and templates have no status.
func uncovered(webhooks []webhook, kind resource, crd *definition) (missing []string) {
	isMutating := kind == mutatingConfigurations
	isUncovered := func(version, resource string, operation admissionregistrationv1.OperationType) bool {
		return (!isMutating || api.HasDevices(version)) && !slices.ContainsFunc(webhooks, func(w webhook) bool {
			return w.kind == kind && slices.ContainsFunc(w.Rules, func(r rule) bool {
				return covers(r, crd.Spec.Group, version, resource, operation)
			})
		})
	}
	plural := crd.Spec.Names.Plural
	for _, write := range []struct {
		resource  string
		operation admissionregistrationv1.OperationType
	}{
		{plural, admissionregistrationv1.Create},
		{plural, admissionregistrationv1.Update},
		{claims + "/status", admissionregistrationv1.Update},
	} {
		if write.resource != plural && (isMutating || plural != claims) {
			continue
		}
		var versions []string
		for _, version := range servedVersions(crd) {
			if isUncovered(version, write.resource, write.operation) {
				versions = append(versions, version)
			}
		}
		if len(versions) > 0 {
			missing = append(missing, fmt.Sprintf("%s of %s in %s", strings.ToLower(string(write.operation)),
				write.resource, strings.Join(versions, ", ")))
		}
	}
	return missing
}

// covers reports whether a rule names a write. As for API servers, * is all resources without their subresources, and
// pods/* is pods with all their subresources.
func covers(r rule, group, version, resource string, operation admissionregistrationv1.OperationType) bool {
	parent, subresource, _ := strings.Cut(resource, "/")
	return contains(r.APIGroups, group) && contains(r.APIVersions, version) && contains(r.Operations, operation) &&
		ptr.Deref(r.Scope, admissionregistrationv1.AllScopes) != admissionregistrationv1.ClusterScope &&
		slices.ContainsFunc(r.Resources, func(pattern string) bool {
			wantParent, wantSubresource, _ := strings.Cut(pattern, "/")
			return (wantParent == "*" || wantParent == parent) &&
				(wantSubresource == "*" || wantSubresource == subresource)
		})
}

// contains reports whether a list has a value or the wildcard.
func contains[T ~string](values []T, value T) bool {
	return slices.Contains(values, value) || slices.Contains(values, "*")
}
