package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
)

// The components of an API server use definitions and configurations some time after they are stored. So dry-run writes
// check all of them.

// pollEvery is the interval of the checks. It is short in comparison with the second or so that the installation takes.
const pollEvery = 50 * time.Millisecond

// awaitCalls waits until the definitions are established and the API server calls the webhook for all installed
// objects.
func (i installation) awaitCalls(ctx context.Context, definitions, configurations []*unstructured.Unstructured) error {
	for _, d := range definitions {
		if err := poll(ctx, func() error { return i.checkEstablished(ctx, d.GetName()) }); err != nil {
			return fmt.Errorf("definition %s: %w", d.GetName(), err)
		}
	}
	probes := map[string]func(context.Context) error{"conversion": i.checkConversion}
	for _, c := range configurations {
		switch c.GetKind() {
		case "MutatingWebhookConfiguration":
			probes["defaulting"] = i.checkDefaulting
		case "ValidatingWebhookConfiguration":
			probes["validation"] = i.checkValidation
		}
	}
	for what, probe := range probes {
		if err := poll(ctx, func() error { return probe(ctx) }); err != nil {
			return fmt.Errorf("the API server does not call the webhook for %s: %w", what, err)
		}
	}
	return nil
}

// poll calls a function until it returns no error. On timeout, it returns the last error.
func poll(ctx context.Context, try func() error) error {
	var last error
	err := wait.PollUntilContextCancel(ctx, pollEvery, true, func(context.Context) (bool, error) {
		if err := try(); ctx.Err() == nil {
			last = err
		}
		return last == nil, nil
	})
	return errors.Join(last, err)
}

func (i installation) checkEstablished(ctx context.Context, name string) error {
	d, err := i.client.Resource(resources["CustomResourceDefinition"]).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	conditions, _, _ := unstructured.NestedSlice(d.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		switch {
		case condition["type"] == "Established" && condition["status"] == "True":
			return nil
		case condition["type"] == "NamesAccepted" && condition["status"] == "False":
			return fmt.Errorf("%v", condition["message"])
		}
	}
	return errors.New("not established")
}

// checkConversion returns an error unless a claim of the oldest version can be stored, which requires a conversion.
func (i installation) checkConversion(ctx context.Context) error {
	_, err := i.create(ctx, "v1alpha1", map[string]any{"resourceClassName": "probe"})
	return err
}

// checkValidation returns an error unless a claim is denied that only the webhook rejects.
func (i installation) checkValidation(ctx context.Context) error {
	_, err := i.create(ctx, "v1alpha1", map[string]any{"resourceClassName": "Not A Name"})
	if err == nil {
		return errors.New("a claim with an invalid class was not denied")
	}
	if apierrors.IsInvalid(err) && strings.Contains(err.Error(), "denied the request") {
		return nil
	}
	return fmt.Errorf("a claim with an invalid class was not denied: %w", err)
}

// checkDefaulting returns an error unless the webhook sets the default that a schema cannot express.
func (i installation) checkDefaulting(ctx context.Context) error {
	request := map[string]any{"name": "probe", "deviceClassName": "probe"}
	claim, err := i.create(ctx, "v1alpha3", map[string]any{"devices": map[string]any{"requests": []any{request}}})
	if err != nil {
		return err
	}
	requests, _, _ := unstructured.NestedSlice(claim.Object, "spec", "devices", "requests")
	if len(requests) == 1 {
		if request, _ := requests[0].(map[string]any); request["count"] == int64(1) {
			return nil
		}
	}
	return errors.New("the webhook did not set the default count of a device request")
}

// create creates a claim as a dry run.
func (i installation) create(ctx context.Context, version string,
	spec map[string]any,
) (*unstructured.Unstructured, error) {
	resource := schema.GroupVersionResource{Group: i.webhook.Group, Version: version, Resource: "resourceclaims"}
	claim := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	claim.SetGroupVersionKind(resource.GroupVersion().WithKind("ResourceClaim"))
	claim.SetGenerateName("webhooktest-probe-")
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	return i.client.Resource(resource).Namespace(metav1.NamespaceDefault).Create(ctx, claim, options)
}
