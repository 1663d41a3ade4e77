package preflight

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

// listed differences of one kind; the rest are counted, since a definition of another release may have hundreds.
const listed = 5

func (v *view) compareDefinition(want, got *apiextensionsv1.CustomResourceDefinition) {
	object := definitions.object("", got.Name)
	var wrong, odd []string
	if got.Spec.Scope != want.Spec.Scope {
		wrong = append(wrong, fmt.Sprintf("spec.scope is %s, not %s", got.Spec.Scope, want.Spec.Scope))
	}
	if g, w := got.Spec.Names, want.Spec.Names; g.Kind != w.Kind || g.ListKind != w.ListKind {
		wrong = append(wrong, fmt.Sprintf("spec.names has the kinds %s and %s, not %s and %s", g.Kind, g.ListKind, w.Kind, w.ListKind))
	} else if g.Singular != w.Singular || !slices.Equal(g.ShortNames, w.ShortNames) {
		odd = append(odd, fmt.Sprintf("spec.names has %s, not %s", names(g), names(w)))
	}
	if got.Spec.PreserveUnknownFields {
		wrong = append(wrong, "spec.preserveUnknownFields is true")
	}
	if convertsByWebhook(got) && convertsByWebhook(want) {
		g, w := got.Spec.Conversion.Webhook.ConversionReviewVersions, want.Spec.Conversion.Webhook.ConversionReviewVersions
		if !slices.Equal(g, w) {
			odd = append(odd, fmt.Sprintf("spec.conversion.webhook.conversionReviewVersions is %v, not %v, which works too", g, w))
		}
	}
	for _, version := range got.Spec.Versions {
		if !slices.ContainsFunc(want.Spec.Versions, named(version.Name)) {
			wrong = append(wrong, fmt.Sprintf("version %s is not one of this release, so nobody converts it", version.Name))
		}
	}
	for _, wanted := range want.Spec.Versions {
		i := slices.IndexFunc(got.Spec.Versions, named(wanted.Name))
		if i < 0 {
			wrong = append(wrong, fmt.Sprintf("version %s is missing", wanted.Name))
			continue
		}
		w, o := compareVersions(wanted, got.Spec.Versions[i])
		wrong, odd = append(wrong, w...), append(odd, o...)
	}
	r := v.apply(config.CRDsPart)
	r.text += v.withTheRelease()
	if len(wrong) > 0 {
		v.report(object, some(wrong), r)
	}
	if len(odd) > 0 {
		r.text = "if that is not meant, " + r.text
		v.warn(object, some(odd), r)
	}
}

func compareVersions(want, got apiextensionsv1.CustomResourceDefinitionVersion) (wrong, odd []string) {
	at := "version " + want.Name + ": "
	if hasStatus(want) != hasStatus(got) {
		wrong = append(wrong, at+map[bool]string{
			true:  "the subresource status is missing, so a write of the claim can change its status",
			false: "has a subresource status, and templates have no status",
		}[hasStatus(want)])
	}
	if got.Subresources != nil && got.Subresources.Scale != nil {
		odd = append(odd, at+"has a subresource scale")
	}
	differences, err := differencesOf(want.Schema, got.Schema)
	if err != nil {
		differences = append(differences, err.Error())
	}
	for _, difference := range differences {
		wrong = append(wrong, at+"schema: "+difference)
	}
	if !slices.Equal(want.AdditionalPrinterColumns, got.AdditionalPrinterColumns) {
		odd = append(odd, at+"other columns for kubectl get")
	}
	if want.Deprecated != got.Deprecated || deref(want.DeprecationWarning, "") != deref(got.DeprecationWarning, "") {
		odd = append(odd, at+"another deprecation")
	}
	if !slices.Equal(want.SelectableFields, got.SelectableFields) {
		odd = append(odd, at+"other selectable fields")
	}
	return wrong, odd
}

func named(name string) func(apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name }
}

func hasStatus(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return v.Subresources != nil && v.Subresources.Status != nil
}

func names(n apiextensionsv1.CustomResourceDefinitionNames) string {
	return strings.Join(append([]string{n.Singular}, n.ShortNames...), ", ")
}

// some of many differences.
func some(all []string) string {
	if len(all) <= listed {
		return strings.Join(all, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(all[:listed], "; "), len(all)-listed)
}

// withTheRelease says whose manifests are meant: this program may be older or newer than the server.
func (v *view) withTheRelease() string {
	if image := v.imageFlag(); len(image) > 0 {
		return " (this program must be of the release that the server runs: " + strings.TrimPrefix(image[0], "--image=") + ")"
	}
	return ""
}
