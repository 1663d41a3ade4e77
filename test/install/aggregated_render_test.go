//go:build e2e

package install

import (
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

const aggregatedChart = "../../config/charts/claimbridge-apiserver"

// The chart of the aggregated API server and claimbridge manifests --aggregated give the same objects.
func TestTheAggregatedChartRendersTheManifests(t *testing.T) {
	ca, file := caFile(t)
	renders := map[string]render{
		"aggregated, a CA":               ofAggregated(config.AggregatedOptions{CABundle: ca.Certificate, Certificates: config.Files, Namespace: "claims"}, map[string]string{"caBundle": "@" + file}),
		"aggregated, all versions, self": ofAggregated(config.AggregatedOptions{Versions: config.AggregatedVersions, Certificates: config.Self, Namespace: "claims"}, map[string]string{"versions": "{v1beta2,v1beta1,v1alpha3,v1alpha2,v1alpha1}"}),
		"aggregated, one version, self":  ofAggregated(config.AggregatedOptions{Versions: []string{"v1alpha2"}, Certificates: config.Self, Namespace: "claims"}, map[string]string{"versions": "{v1alpha2}"}),
		"aggregated, an image":           ofAggregated(config.AggregatedOptions{Image: "a:v2", Namespace: "claims"}, map[string]string{"image.repository": "a", "image.tag": "v2"}),
	}
	for _, mode := range modes {
		for _, actor := range config.Actors {
			renders["aggregated, "+string(mode)+", "+string(actor)] = ofAggregated(config.AggregatedOptions{Certificates: mode, ActAs: actor, Namespace: "1e3"},
				map[string]string{"actAs": string(actor)})
		}
		for _, part := range []config.Part{config.MonitorPart, config.AlertsPart, config.DashboardPart} {
			renders["aggregated, "+string(mode)+", "+string(part)] = ofAggregated(config.AggregatedOptions{Namespace: "claims", Certificates: mode}, map[string]string{string(part) + ".enabled": "true"}, part)
		}
	}
	rendersTheManifests(t, renders)
}

func ofAggregated(o config.AggregatedOptions, values map[string]string, also ...config.Part) render {
	return func(t *testing.T) (map[string]map[string]any, []string) {
		o := o // which is changed below, and asked for again
		stream := must(t)(config.AggregatedManifests(o))
		for _, o.Only = range also {
			stream += "---\n" + must(t)(config.AggregatedManifests(o))
		}
		return objects(t, stream), arguments(aggregatedChart, o.Namespace, values, map[string]string{"certificates": certificates(o.Certificates)})
	}
}

func TestAggregatedPodsAreAsTheUserSays(t *testing.T) {
	podsAreAsTheUserSays(t, aggregatedChart, "actAs=caller", "80Mi")
}

func TestAggregatedValuesThatCannotBe(t *testing.T) {
	refuses(t, map[string]refusal{
		"the control plane":              {aggregatedChart, []string{"--namespace=kube-system"}, []string{"name one for claimbridge alone"}},
		"v1, which is the cluster's own": {aggregatedChart, []string{"--set=versions={v1}"}, []string{"versions"}},
		"an actor there is not":          {aggregatedChart, []string{"--set=actAs=root"}, []string{"actAs"}},
		"a group":                        {aggregatedChart, []string{"--set=group=claims.example.com"}, []string{"group"}},
	})
}

func TestTheAggregatedChartIsLinted(t *testing.T) { linted(t, aggregatedChart, "actAs=caller") }

func TestClustersThatTheAggregatedChartIsFor(t *testing.T) {
	areFor(t, aggregatedChart, "actAs=caller", "1.33.5+k3s1", "1.34.0", "v1.34.1-eks-113cf36", "v1.37.0-rc.1")
}
