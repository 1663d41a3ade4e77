package preflight

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"

	"github.com/claimbridge/claimbridge/api"
)

// Classes of dry-run claims: one that every rule accepts, and one that the rules of all versions reject, but no schema.
const (
	validClass   = "preflight.claimbridge.dev"
	invalidClass = "Not/A_Class"
)

// servedResources returns claims and templates in each version that is served.
func (c *cluster) servedResources(ctx context.Context) (all []resource, err error) {
	crds, err := c.definitions(ctx)
	for _, crd := range crds {
		for _, version := range servedVersions(crd) {
			all = append(all, resource{
				schema.GroupVersionResource{Group: c.Group, Version: version, Resource: crd.Spec.Names.Plural},
				crd.Spec.Names.Kind,
			})
		}
	}
	return all, err
}

// claimsCanBeWritten creates a claim and a template in each served version. The API server calls all webhooks, applies
// all policies and quotas, and converts to the stored version and back, as in a write that is no dry run.
func claimsCanBeWritten(ctx context.Context, c *cluster) error {
	all, err := c.servedResources(ctx)
	if err != nil {
		return err
	}
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, r := range all {
		group.Go(func() { errs[i] = c.create(ctx, r, validClass) })
	}
	group.Wait()
	return joinByMessage(all, errs, "cannot be created in namespace "+c.ClaimNamespace)
}

// invalidClaimsAreDenied creates a claim that validation rejects.
func invalidClaimsAreDenied(ctx context.Context, c *cluster) error {
	all, err := c.servedResources(ctx)
	i := slices.IndexFunc(all, func(r resource) bool { return r.Resource == claims })
	if err != nil || i < 0 {
		return err
	}
	object := fmt.Sprintf("%s of %s with the class %q", all[i].kind, all[i].Version, invalidClass)
	err = c.create(ctx, all[i], invalidClass)
	switch {
	case err == nil:
		return fmt.Errorf("%s is not denied: the validating webhook is not called, or is not claimbridge", object)
	case lacksPermission.MatchString(err.Error()), !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err):
		return unknown("%s cannot be tried: %w", object, err)
	}
	return nil
}

// pageSize of lists is kubectl's.
const pageSize = 500

// claimsCanBeRead reads the metadata of all objects in each served version.
func claimsCanBeRead(ctx context.Context, c *cluster) error {
	all, err := c.servedResources(ctx)
	if err != nil {
		return err
	}
	errs := make([]error, len(all))
	for i, r := range all {
		errs[i] = c.readAll(ctx, r)
	}
	return joinByMessage(all, errs, "cannot be read")
}

// readAll lists all objects of a resource, and gets the first. The API server converts that one for the request, while
// it may have converted those of a list earlier.
func (c *cluster) readAll(ctx context.Context, r resource) error {
	objects := c.metadata.Resource(r.GroupVersionResource)
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := objects.List(ctx, options)
		if err != nil {
			return err
		}
		if options.Continue == "" && len(page.Items) > 0 {
			first := page.Items[0]
			_, err := objects.Namespace(first.Namespace).Get(ctx, first.Name, metav1.GetOptions{})
			if err != nil && !apierrors.IsNotFound(err) { // it may have been deleted since
				return err
			}
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return nil
		}
	}
}

// joinByMessage returns one error for each message of the API server, with all kinds and versions that it applies to.
func joinByMessage(all []resource, errs []error, what string) error {
	var reasons []error
	for i, err := range errs {
		isSame := func(other error) bool { return other != nil && other.Error() == err.Error() }
		if err == nil || slices.IndexFunc(errs, isSame) < i {
			continue
		}
		var kinds, versions []string
		for j, r := range all {
			if isSame(errs[j]) {
				kinds = append(kinds, r.kind)
				versions = append(versions, r.Version)
			}
		}
		slices.Sort(versions)
		text := fmt.Sprintf("%s of %s %s", strings.Join(slices.Compact(kinds), ", "),
			strings.Join(slices.Compact(versions), ", "), what)
		if isUnknown(err) {
			reasons = append(reasons, unknown("%s: %w", text, err))
		} else {
			reasons = append(reasons, fmt.Errorf("%s: %w", text, err))
		}
	}
	return errors.Join(reasons...)
}

// lacksPermission matches the message of an API server that rejects a request by RBAC. Denials by webhooks, policies
// and quotas have the same status code.
var lacksPermission = regexp.MustCompile(` is forbidden: User ".*" cannot `)

// isUnknown reports whether an error of a request does not show whether claims can be written or read.
func isUnknown(err error) bool {
	return !isAPIError(err) || apierrors.IsResourceExpired(err) || lacksPermission.MatchString(err.Error()) ||
		strings.HasPrefix(err.Error(), "namespaces ") || strings.Contains(err.Error(), "does not support dry run")
}

// create creates a claim or a template with a class as a dry run. It retries if the connection fails with "connection
// refused": in the first seconds after pods became ready, not every node may know their addresses.
func (c *cluster) create(ctx context.Context, r resource, class string) error {
	options := metav1.CreateOptions{
		DryRun:          []string{metav1.DryRunAll},
		FieldValidation: metav1.FieldValidationStrict,
		FieldManager:    "claimbridge-preflight",
	}
	isRefused := func(err error) bool {
		return apierrors.IsInternalError(err) && strings.Contains(err.Error(), "connection refused")
	}
	backoff := wait.Backoff{Duration: time.Second, Factor: 1, Steps: 4}
	return retry.OnError(backoff, isRefused, func() error {
		object := &unstructured.Unstructured{Object: example(r, class)}
		_, err := c.objects.Resource(r.GroupVersionResource).Namespace(c.ClaimNamespace).Create(ctx, object, options)
		return err
	})
}

// example returns a claim or a template with the fields that its version requires.
func example(r resource, class string) map[string]any {
	spec := map[string]any{"resourceClassName": class}
	if api.HasDevices(r.Version) {
		request := map[string]any{"name": "preflight"}
		_ = unstructured.SetNestedField(request, class, api.RequestFieldPath(r.Version, "deviceClassName")...)
		spec = map[string]any{"devices": map[string]any{"requests": []any{request}}}
	}
	if r.Resource == templates {
		spec = map[string]any{"spec": spec}
	}
	return map[string]any{
		"apiVersion": r.Group + "/" + r.Version,
		"kind":       r.kind,
		"metadata":   map[string]any{"name": "claimbridge-preflight-dry-run"},
		"spec":       spec,
	}
}
