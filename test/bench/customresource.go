package main

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/bench/claims"
)

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	definition  = definitions + "/resourceclaims." + claims.Group
	// writers at a time, through one client.
	writers = 8
	// patience with the API server.
	patience = 2 * time.Minute
)

// customResource is the definition of claims in an API server, and the claims in it.
type customResource struct {
	*apiServerClient
	spec map[string]any
	// stored is the version in which claims are stored, served are those that clients may use.
	stored string
	served []string
	// generation of the definition, as a column of kubectl's tables, to see which one the API server goes by.
	generation int
	// names of the claims.
	names []string
}

// install our own definition, at first without the status subresource, so that claims can be created with a status.
func (c *customResource) install(root string) error {
	content, err := os.ReadFile(filepath.Join(root, "config", "crd", "bases", "resource.k8s.io_resourceclaims.yaml"))
	if err != nil {
		return err
	}
	var crd map[string]any
	if err := yaml.Unmarshal(content, &crd); err != nil {
		return err
	}
	c.spec = crd["spec"].(map[string]any)
	delete(c.spec, "conversion")
	spec := maps.Clone(c.spec)
	spec["versions"] = c.versions(func(version map[string]any) { delete(version, "subresources") })
	crd["spec"] = spec
	if err := c.request(http.MethodPost, definitions, asJSON, asJSON, crd, nil); err != nil {
		return err
	}
	return c.until("claims are served", func() (bool, error) { return c.get(path(c.stored, "?limit=1"), asJSON, nil) == nil, nil })
}

// versions of the definition, each changed by a function. Those that are not served have no watch caches.
func (c *customResource) versions(change func(version map[string]any)) (versions []any) {
	for _, v := range c.spec["versions"].([]any) {
		version := maps.Clone(v.(map[string]any))
		version["served"] = slices.Contains(c.served, version["name"].(string))
		version["storage"] = version["name"] == c.stored
		change(version)
		versions = append(versions, version)
	}
	return versions
}

// fill the storage with claims: half of them made in the stored version, half that came from v1alpha2.
func (c *customResource) fill(n int) error {
	var group errgroup.Group
	group.SetLimit(writers)
	for i := range n {
		version := c.stored
		if i%2 == 0 {
			version = "v1alpha2"
		}
		claim := claims.In(version, i, 400)
		meta := claim.(metav1.Object)
		meta.SetNamespace("default")
		meta.SetManagedFields(nil) // the API server writes its own
		meta.SetResourceVersion("")
		c.names = append(c.names, meta.GetName())
		object := claims.Encode(claim)
		if version != c.stored {
			var err error
			if object, _, err = conversion.JSON(object, c.stored, conversion.Options{}); err != nil {
				return err
			}
		}
		group.Go(func() error { return c.request(http.MethodPost, path(c.stored, ""), asJSON, asJSON, object, nil) })
	}
	return group.Wait()
}

// rebuild gives the definition another conversion, which makes the API server build its watch caches anew, and waits until
// those of all versions that are served hold all claims.
func (c *customResource) rebuild(conversion map[string]any, stored int) (time.Duration, error) {
	c.generation++
	column := fmt.Sprintf("Generation%d", c.generation)
	spec := map[string]any{"conversion": conversion, "versions": c.versions(func(version map[string]any) {
		version["additionalPrinterColumns"] = []any{map[string]any{"name": column, "type": "string", "jsonPath": ".kind"}}
	})}
	if err := c.request(http.MethodPatch, definition, asMergePatch, asJSON, map[string]any{"spec": spec}, nil); err != nil {
		return 0, err
	}
	var begun time.Time
	err := c.until("the new definition is in use", func() (bool, error) {
		var table struct{ ColumnDefinitions []struct{ Name string } } // of which the first is the name
		begun = time.Now()                                            // the first request that meets the new definition starts the caches
		if err := c.get(path(c.stored, "/"+c.names[0]), asTable, &table); err != nil {
			return false, err
		}
		return len(table.ColumnDefinitions) > 1 && table.ColumnDefinitions[1].Name == column, nil
	})
	if err != nil {
		return 0, err
	}
	for _, version := range c.served {
		err := c.until("the watch cache of "+version+" is built", func() (bool, error) {
			// A cache that is ready ignores the limit; until then the one claim comes from etcd.
			var list struct{ Items []struct{} }
			if err := c.get(path(version, "?resourceVersion=0&limit=1"), asMetadata, &list); err != nil {
				return false, err
			}
			return len(list.Items) == stored, nil
		})
		if err != nil {
			return 0, err
		}
	}
	return time.Since(begun), nil
}

// write annotates claims, one each write, and waits until the watch caches of all versions have seen the last write.
func (c *customResource) write(version string, first, n int) (time.Duration, error) {
	begun := time.Now()
	resourceVersions := make([]int, n)
	var group errgroup.Group
	group.SetLimit(writers)
	for i := range n {
		patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"example.com/written":"%d"}}}`, begun.UnixNano())
		group.Go(func() error {
			var written struct {
				Metadata struct{ ResourceVersion string }
			}
			if err := c.request(http.MethodPatch, path(version, "/"+c.names[(first+i)%len(c.names)]), asMergePatch, asJSON, patch, &written); err != nil {
				return err
			}
			var err error
			resourceVersions[i], err = strconv.Atoi(written.Metadata.ResourceVersion)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	last := slices.Max(resourceVersions)
	for _, version := range c.served {
		err := c.until("the watch cache of "+version+" is up to date", func() (bool, error) {
			// A cache that is behind makes the request wait, and after three seconds refuses it.
			err := c.get(path(version, fmt.Sprintf("/%s?resourceVersion=%d", c.names[0], last)), asJSON, nil)
			var refused *apiError
			if errors.As(err, &refused) && refused.code == http.StatusGatewayTimeout {
				return false, nil
			}
			return err == nil, err
		})
		if err != nil {
			return 0, err
		}
	}
	return time.Since(begun), nil
}

// until something is so. An API server that is busy with itself (429) is asked again.
func (c *customResource) until(what string, so func() (bool, error)) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		done, err := so()
		var refused *apiError
		if errors.As(err, &refused) && refused.code == http.StatusTooManyRequests {
			continue
		}
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("waited %s until %s", patience, what)
}

func path(version, rest string) string {
	return "/apis/" + claims.Group + "/" + version + "/namespaces/default/resourceclaims" + rest
}
