package beside

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// manifests for a control plane that has no nodes: the Service is the name of this machine, and the APIServices say which port of it.
// All else is as in a cluster; nobody runs the Deployment.
func manifests(o config.AggregatedOptions, port int) (string, error) {
	text, err := config.AggregatedManifests(o)
	if err != nil {
		return "", err
	}
	var all []string
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return "", fmt.Errorf("%w in\n%s", err, document)
		}
		spec, _ := object["spec"].(map[string]any)
		switch object["kind"] {
		case "Service":
			object["spec"] = map[string]any{"type": "ExternalName", "externalName": "localhost"}
		case "APIService":
			spec["service"].(map[string]any)["port"] = port
		}
		changed, err := yaml.Marshal(object)
		if err != nil {
			return "", err
		}
		all = append(all, string(changed))
	}
	return strings.Join(all, "---\n"), nil
}

func joined(versions []string) string { return strings.Join(versions, ",") }
