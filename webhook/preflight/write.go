package preflight

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// write that an API server can ask a webhook about.
type write struct {
	operation         admissionregistrationv1.OperationType
	resource, version string
}

// named by a resource of a rule, as API servers have it: * is all resources without their subresources, pods/* is pods with
// all of theirs.
func (w write) named(pattern string) bool {
	resource, subresource, _ := strings.Cut(w.resource, "/")
	patternResource, patternSubresource, _ := strings.Cut(pattern, "/")
	return (patternResource == "*" || patternResource == resource) && (patternSubresource == "*" || patternSubresource == subresource)
}

// writesOf the webhook configurations as the manifests have them, by kind.
func writesOf(group string) (map[string][]write, error) {
	manifests, err := config.Webhooks(group)
	if err != nil {
		return nil, err
	}
	all := map[string][]write{}
	for document := range strings.SplitSeq(string(manifests), "\n---\n") {
		var configuration struct {
			Kind     string
			Webhooks []struct {
				Rules []admissionregistrationv1.RuleWithOperations
			}
		}
		if err := yaml.Unmarshal([]byte(document), &configuration); err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		for _, w := range configuration.Webhooks {
			for _, r := range w.Rules {
				all[configuration.Kind] = append(all[configuration.Kind], expand(r)...)
			}
		}
	}
	return all, nil
}

func expand(r admissionregistrationv1.RuleWithOperations) (all []write) {
	for _, version := range r.APIVersions {
		for _, resource := range r.Resources {
			for _, operation := range r.Operations {
				all = append(all, write{operation, resource, version})
			}
		}
	}
	return all
}
