package certs

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// Resources of objects with a caBundle.
var (
	customResourceDefinitions = schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}
	validatingWebhookConfigurations = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "validatingwebhookconfigurations",
	}
	mutatingWebhookConfigurations = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "mutatingwebhookconfigurations",
	}
)

// fieldManager owns the caBundles and no other field.
const fieldManager = "claimbridge"

// caBundleObject is an object with caBundles: a CRD with a conversion webhook, or a webhook configuration.
type caBundleObject struct {
	resource schema.GroupVersionResource
	name     string

	resourceVersion string
	bundles         []bundle
	err             error // the last error of a read or write
}

// bundle is the caBundle of one webhook. That of a CRD has no name.
type bundle struct {
	webhook      string
	certificates []*x509.Certificate
}

func (o *caBundleObject) String() string { return o.resource.Resource + "/" + o.name }

// lacks reports whether a bundle lacks one of the certificates.
func (o *caBundleObject) lacks(certificates []*x509.Certificate) bool {
	return slices.ContainsFunc(o.bundles, func(b bundle) bool { return lacksAny(b.certificates, certificates) })
}

// read reads the object. An object that does not exist, or that calls no webhook, has no bundles.
func (o *caBundleObject) read(ctx context.Context, client dynamic.Interface) {
	o.resourceVersion = ""
	o.bundles = nil
	got, err := client.Resource(o.resource).Get(ctx, o.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		o.err = nil
		return
	}
	o.setFrom(got, err)
}

// setFrom sets the bundles from the result of a read or write.
func (o *caBundleObject) setFrom(got *unstructured.Unstructured, err error) {
	var clients webhookClients
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(got.Object, &clients)
	}
	if err != nil {
		o.err = fmt.Errorf("%s: %w", o, err)
		return
	}
	o.resourceVersion = got.GetResourceVersion()
	o.bundles = nil
	o.err = nil
	if conversion := clients.Spec.Conversion; conversion.Strategy == "Webhook" {
		o.bundles = []bundle{{"", parseBundle(conversion.Webhook.ClientConfig.CABundle)}}
	}
	for _, w := range clients.Webhooks {
		o.bundles = append(o.bundles, bundle{w.Name, parseBundle(w.ClientConfig.CABundle)})
	}
}

// webhookClients has the fields that are read from an object of any of the resources.
type webhookClients struct {
	Spec struct {
		Conversion struct {
			Strategy string        `json:"strategy"`
			Webhook  webhookClient `json:"webhook"`
		} `json:"conversion"`
	} `json:"spec"`
	Webhooks []webhookClient `json:"webhooks"`
}

type webhookClient struct {
	Name         string `json:"name"`
	ClientConfig struct {
		CABundle []byte `json:"caBundle"`
	} `json:"clientConfig"`
}

// publish updates each bundle that lacks a trusted certificate or contains a retired one, as [merge] describes. It
// never overwrites a concurrent write, because it patches with the resourceVersion that was read. The next round tries
// again.
func (o *caBundleObject) publish(
	ctx context.Context, client dynamic.Interface, trusted, retired []*x509.Certificate, now time.Time,
) (isWritten bool) {
	if o.err != nil {
		return false
	}
	var webhooks []any
	for i, b := range o.bundles {
		if merged, changed := merge(b.certificates, trusted, retired, now); changed {
			o.bundles[i].certificates = merged
			webhooks = append(webhooks, map[string]any{
				"name":         b.webhook,
				"clientConfig": map[string]any{"caBundle": encodeCertificates(merged...)},
			})
		}
	}
	if webhooks == nil {
		return false
	}
	patchType := types.StrategicMergePatchType // merges webhooks by name
	patch := map[string]any{"webhooks": webhooks}
	if o.resource == customResourceDefinitions {
		patchType = types.MergePatchType
		patch = map[string]any{"spec": map[string]any{"conversion": map[string]any{"webhook": map[string]any{
			"clientConfig": webhooks[0].(map[string]any)["clientConfig"],
		}}}}
	}
	patch["metadata"] = map[string]any{"resourceVersion": o.resourceVersion}
	body, _ := json.Marshal(patch) // cannot fail: the patch has only strings
	options := metav1.PatchOptions{FieldManager: fieldManager}
	o.setFrom(client.Resource(o.resource).Patch(ctx, o.name, patchType, body, options))
	return o.err == nil
}
