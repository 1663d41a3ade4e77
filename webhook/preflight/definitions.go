package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/api"
)

type definition = apiextensionsv1.CustomResourceDefinition

const (
	claims    = api.ResourceClaims
	templates = api.ResourceTemplates
)

// definition returns the CRD of a resource, or nil. It may be one that another program installed.
func (c *cluster) definition(ctx context.Context, plural string) (*definition, error) {
	return get[definition](ctx, c, customResources, "", plural+"."+c.Group)
}

// definitions returns the CRDs that exist and came with claimbridge.
func (c *cluster) definitions(ctx context.Context) (all []*definition, err error) {
	for _, plural := range []string{claims, templates} {
		crd, err := c.definition(ctx, plural)
		if err != nil {
			return nil, err
		}
		if crd != nil && isInstalledByClaimbridge(crd) {
			all = append(all, crd)
		}
	}
	return all, nil
}

// category is in the CRDs that come with claimbridge, and in no others.
const category = "claimbridge"

func isInstalledByClaimbridge(crd *definition) bool {
	return slices.Contains(crd.Spec.Names.Categories, category)
}

// eachDefinition returns a check that runs for each CRD that came with claimbridge.
func eachDefinition(check func(*definition) error) func(context.Context, *cluster) error {
	return func(ctx context.Context, c *cluster) error {
		all, err := c.definitions(ctx)
		if err != nil {
			return err
		}
		return each(all, check)
	}
}

func definitionsExist(ctx context.Context, c *cluster) error {
	return each([]string{claims, templates}, func(plural string) error {
		crd, err := c.definition(ctx, plural)
		object := customResources.describe("", plural+"."+c.Group)
		switch {
		case err != nil:
			return err
		case crd == nil:
			return fmt.Errorf("%s does not exist", object)
		case !isInstalledByClaimbridge(crd):
			return fmt.Errorf("%s was not installed by claimbridge: it has no category %s", object, category)
		case crd.DeletionTimestamp != nil:
			return fmt.Errorf("%s is being deleted%s", object, messageOf(crd, apiextensionsv1.Terminating))
		case apihelpers.IsCRDConditionFalse(crd, apiextensionsv1.NamesAccepted):
			return fmt.Errorf("%s: its names are not accepted%s", object, messageOf(crd, apiextensionsv1.NamesAccepted))
		case !apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Established):
			return fmt.Errorf("%s is not established%s", object, messageOf(crd, apiextensionsv1.Established))
		}
		return nil
	})
}

// messageOf returns the message of a condition, after a colon, if there is one.
func messageOf(crd *definition, kind apiextensionsv1.CustomResourceDefinitionConditionType) string {
	condition := apihelpers.FindCRDCondition(crd, kind)
	if condition == nil || condition.Message == "" {
		return ""
	}
	return ": " + condition.Message
}

var storedVersionIsNewest = eachDefinition(func(crd *definition) error {
	newest := api.Stored().Name
	if stored := storedVersion(crd); stored != newest {
		return fmt.Errorf("%s stores %s, not %s", customResources.describe("", crd.Name), stored, newest)
	}
	return nil
})

func storedVersion(crd *definition) string {
	stored, _ := apihelpers.GetCRDStorageVersion(crd) // an API server accepts no CRD without one
	return stored
}

// migrationFailed is the reason of the condition StorageMigrating after a StorageVersionMigration failed. Kubernetes
// 1.36 and 1.37 remove the older versions from status.storedVersions all the same (finishCRDMigration of
// pkg/controller/storageversionmigrator, in 1.36.4 and 1.37.2), so that only this condition shows it.
const migrationFailed = "MigrationFailed"

var storedVersionsAreMigrated = eachDefinition(func(crd *definition) error {
	object := customResources.describe("", crd.Name)
	old := slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(version string) bool {
		return version == storedVersion(crd)
	})
	if len(old) > 0 {
		return warning("%s: objects may be stored in %s (status.storedVersions)", object, strings.Join(old, ", "))
	}
	migrating := apihelpers.FindCRDCondition(crd, apiextensionsv1.StorageMigrating)
	if migrating != nil && migrating.Reason == migrationFailed {
		return warning("%s: objects may be stored in an older version, because a StorageVersionMigration failed "+
			"(condition StorageMigrating%s)", object, messageOf(crd, apiextensionsv1.StorageMigrating))
	}
	return nil
})

var severalVersionsAreConverted = eachDefinition(func(crd *definition) error {
	var used []string
	for _, version := range crd.Spec.Versions {
		if version.Served || version.Storage || slices.Contains(crd.Status.StoredVersions, version.Name) {
			used = append(used, version.Name)
		}
	}
	if len(used) < 2 || conversionWebhook(crd) != nil {
		return nil
	}
	return fmt.Errorf("%s has conversion strategy None, but %s are served or stored",
		customResources.describe("", crd.Name), strings.Join(used, ", "))
})

// conversionWebhook returns how API servers call the conversion webhook of a CRD, or nil if it has none.
func conversionWebhook(crd *definition) *apiextensionsv1.WebhookClientConfig {
	conversion := crd.Spec.Conversion
	if conversion == nil || conversion.Strategy != apiextensionsv1.WebhookConverter || conversion.Webhook == nil {
		return nil
	}
	return conversion.Webhook.ClientConfig
}

// servedVersions returns the versions that a CRD serves and this program knows.
func servedVersions(crd *definition) (names []string) {
	for _, version := range crd.Spec.Versions {
		if version.Served && slices.Contains(api.Names(), version.Name) {
			names = append(names, version.Name)
		}
	}
	return names
}
