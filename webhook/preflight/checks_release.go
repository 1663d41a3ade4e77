package preflight

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/config"
)

var objectsAreOfThisRelease = &Check{
	Name:   "objects-are-of-this-release",
	Reason: "Definitions, webhook configurations, roles and policies are applied as a dry run, and what that would change is named. A schema of another release loses fields, a server without its role cannot renew the CA, and a policy that somebody widened holds nobody.",
	// They name what is wrong with these objects in words of their own.
	after: []*Check{
		claimbridgeIsInstalled, definitionsExist, definitionsAreOurs, definitionsAreAccepted, storedVersionIsNewest, severalVersionsAreConverted,
		conversionIsNotLeftBehind, validatingConfigurationExists, mutatingConfigurationExists, webhooksAreNotOptional, everyServedVersionIsJudged, noWriteIsExempt,
	},
	reads: append([]resource{policies, policyBindings}, installation...),
	try: func(ctx context.Context, c *cluster, s *state, r *report) {
		if s.absent() {
			return
		}
		for _, part := range []config.Part{config.CRDsPart, config.RolesPart, config.ServerPart, config.WebhooksPart} {
			objects, err := rendered(config.Options{
				Group: s.Group, Namespace: s.Namespace, Certificates: s.certificates(), AdmissionPolicy: s.hasPolicy(), Versions: s.served(), Only: part,
			})
			if err != nil {
				r.add(Unknown, Object{Kind: "API group", Name: s.Group}, err.Error(), say("report this: the program cannot read its own manifests"))
				return
			}
			for _, object := range objects {
				i := slices.IndexFunc(compared, func(k resource) bool { return k.kind == object.GetKind() })
				if i >= 0 {
					compareWith(ctx, c, s, r, compared[i], object, part)
				}
			}
		}
	},
}

// compared kinds. What runs the server is its owner's to size and place.
var compared = []resource{
	definitions, validatingConfigurations, mutatingConfigurations, policies, policyBindings, roles, roleBindings, clusterRoles, clusterRoleBindings,
}

// compareWith what would be there if an object of the manifests was applied.
func compareWith(ctx context.Context, c *cluster, s *state, r *report, kind resource, object *unstructured.Unstructured, part config.Part) {
	at := kind.object(object.GetNamespace(), object.GetName())
	client := c.objects.Resource(kind.GroupVersionResource).Namespace(at.Namespace)
	live, err := client.Get(ctx, at.Name, metav1.GetOptions{})
	do := s.apply(part)
	do.text += s.withTheRelease()
	switch {
	case apierrors.IsNotFound(err):
		r.add(severityOf(kind, at.Name), at, "does not exist", do)
		return
	case err != nil:
		r.findings = append(r.findings, unseen(at, "get", kind, err))
		return
	}
	withoutOwn(object, live)
	var next *unstructured.Unstructured
	verb := "patch"
	if kind == policies || kind == policyBindings { // of which nothing may be another's, while applying leaves what others have added
		verb = "update"
		object.SetResourceVersion(live.GetResourceVersion())
		next, err = client.Update(ctx, object, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: fieldManager})
		do.text, do.command = "delete it, and "+do.text, s.kubectl("delete", kind.String(), at.Name)+" && "+do.command
	} else {
		next, err = client.Apply(ctx, at.Name, object, metav1.ApplyOptions{DryRun: []string{metav1.DryRunAll}, Force: true, FieldManager: fieldManager})
	}
	if err != nil {
		r.findings = append(r.findings, unseen(at, verb, kind, err))
		return
	}
	var wrong, odd []string
	for _, difference := range differences(next.Object, live.Object) {
		if severityOf(kind, at.Name) == Warning || cosmetic.MatchString(difference) {
			odd = append(odd, difference)
		} else {
			wrong = append(wrong, difference)
		}
	}
	if len(wrong) > 0 {
		r.problem(at, "is not that of this release: "+some(wrong), do)
	}
	if len(odd) > 0 {
		do.text = "if that is not meant, " + do.text
		r.add(Warning, at, "is not that of this release: "+some(odd), do)
	}
}

// withoutOwn takes out of an object what other checks look at, and what is up to whoever installed it: who is called, and which versions are served.
func withoutOwn(object, live *unstructured.Unstructured) {
	unstructured.RemoveNestedField(object.Object, "spec", "conversion")
	served := map[any]any{}
	for _, version := range items(live.Object, "spec", "versions") {
		served[version["name"]] = version["served"]
	}
	for _, version := range items(object.Object, "spec", "versions") {
		if is, ok := served[version["name"]]; ok {
			version["served"] = is
		}
	}
	for _, webhook := range items(object.Object, "webhooks") {
		delete(webhook, "clientConfig")
	}
}

func items(object map[string]any, fields ...string) (all []map[string]any) {
	value, _, _ := unstructured.NestedFieldNoCopy(object, fields...)
	list, _ := value.([]any)
	for _, item := range list {
		if one, ok := item.(map[string]any); ok {
			all = append(all, one)
		}
	}
	return all
}

// severityOf what is missing or otherwise. Without a schema fields are lost; with the rights of the server the CA; by a policy that holds nobody
// a stolen token is worth as much as cluster-admin.
func severityOf(kind resource, object string) Severity {
	isConfiguration := kind == validatingConfigurations || kind == mutatingConfigurations
	if kind == definitions || object == name && !isConfiguration {
		return Problem
	}
	return Warning
}

// cosmetic differences of a definition: claims are served and stored as well with them.
var cosmetic = regexp.MustCompile(`shortNames|singular|categories|additionalPrinterColumns|deprecat|selectableFields`)

// listed differences of an object; the rest are counted, since one of another release may have hundreds.
const listed = 5

func some(all []string) string {
	if len(all) <= listed {
		return strings.Join(all, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(all[:listed], "; "), len(all)-listed)
}
