package webhooktest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	"github.com/claimbridge/claimbridge/config"
)

// installation is the installation of a webhook in a cluster.
type installation struct {
	client    dynamic.Interface
	webhook   *Webhook
	admission bool
}

var resources = map[string]schema.GroupVersionResource{
	"CustomResourceDefinition": {
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	},
	"MutatingWebhookConfiguration": {
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "mutatingwebhookconfigurations",
	},
	"ValidatingWebhookConfiguration": {
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "validatingwebhookconfigurations",
	},
}

// run applies the manifests, with this webhook instead of the Service, and waits until the API server calls it.
func (i installation) run(ctx context.Context) error {
	definitions, err := manifests(config.CRDs(i.webhook.Group))
	if err != nil {
		return err
	}
	var configurations []*unstructured.Unstructured
	if i.admission {
		if configurations, err = manifests(config.Webhooks(i.webhook.Group)); err != nil {
			return err
		}
	}
	for _, o := range append(definitions, configurations...) {
		if err := i.apply(ctx, o); err != nil {
			return err
		}
	}
	return i.awaitCalls(ctx, definitions, configurations)
}

func (i installation) apply(ctx context.Context, o *unstructured.Unstructured) error {
	resource, known := resources[o.GetKind()]
	if !known {
		return fmt.Errorf("%s %s: must be a CRD or a webhook configuration", o.GetKind(), o.GetName())
	}
	if o.GetKind() == "CustomResourceDefinition" {
		i.setURL(o.Object, "spec", "conversion", "webhook", "clientConfig")
	} else {
		// Each group has its own name, so that two groups in one cluster don't replace each other's configurations.
		o.SetName(o.GetName() + "." + i.webhook.Group)
		hooks, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
		for _, hook := range hooks {
			i.setURL(hook.(map[string]any), "clientConfig")
		}
		o.Object["webhooks"] = hooks
	}
	options := metav1.ApplyOptions{FieldManager: "webhooktest", Force: true}
	if _, err := i.client.Resource(resource).Apply(ctx, o.GetName(), o, options); err != nil {
		return fmt.Errorf("install %s %s: %w", o.GetKind(), o.GetName(), err)
	}
	return nil
}

// setURL replaces the Service in a clientConfig with the URL of the webhook, and sets the caBundle.
func (i installation) setURL(object map[string]any, fields ...string) {
	path, _, _ := unstructured.NestedString(object, append(append([]string{}, fields...), "service", "path")...)
	_ = unstructured.SetNestedMap(object, map[string]any{
		"url": i.webhook.URL(path), "caBundle": base64.StdEncoding.EncodeToString(i.webhook.CABundle),
	}, fields...)
}

// manifests decodes the objects of a YAML stream.
func manifests(stream []byte, err error) (objects []*unstructured.Unstructured, _ error) {
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(stream), 4096)
	for {
		o := &unstructured.Unstructured{}
		if err := decoder.Decode(&o.Object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		if len(o.Object) > 0 {
			objects = append(objects, o)
		}
	}
}
