//go:build e2e

package install

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What stays when the release goes: the definitions, which hold the claims, and the rights of who uses them. Nothing else, and not when it is turned off.
func TestWhatIsKept(t *testing.T) {
	for _, release := range releases {
		h := newHelm(t, release)
		got := objects(t, h.run(t, "template", "a", webhookChart, "--namespace=claims", "--set=group=claims.example.com"))
		var kept []string
		for title, object := range got {
			metadata, _ := object["metadata"].(map[string]any)
			annotations, _ := metadata["annotations"].(map[string]any)
			if annotations["helm.sh/resource-policy"] == "keep" {
				kept = append(kept, title)
			}
		}
		want := map[string]bool{
			"CustomResourceDefinition  resourceclaims.claims.example.com": true, "CustomResourceDefinition  resourceclaimtemplates.claims.example.com": true,
			"ClusterRole  claimbridge-claim-editor": true, "ClusterRole  claimbridge-claim-viewer": true,
		}
		if len(kept) != len(want) {
			t.Errorf("%s: kept are %q", release, kept)
		}
		for _, title := range kept {
			if !want[title] {
				t.Errorf("%s: %s is kept", release, title)
			}
		}
		without := objects(t, h.run(t, "template", "a", webhookChart, "--namespace=claims", "--set=group=claims.example.com", "--set=definitions.install=false"))
		maps.DeleteFunc(got, func(title string, _ map[string]any) bool { return want[title] })
		if diff := cmp.Diff(got, without); diff != "" {
			t.Errorf("%s: without definitions:\n%s", release, diff)
		}
	}
}

// What users of a chart set beside the flags of claimbridge manifests gets to the pods.
func TestPodsAreAsTheUserSays(t *testing.T) {
	podsAreAsTheUserSays(t, webhookChart, "group=claims.example.com", "64Mi")
}

func podsAreAsTheUserSays(t *testing.T, chart, values, memory string) {
	t.Helper()
	for _, mode := range modes {
		for _, release := range releases {
			got := objects(t, newHelm(t, release).run(t, "template", "a", chart, "--namespace=claims", "--set="+values, "--set=certificates="+string(mode), "--set=replicas=3",
				"--set=resources.limits.memory=1Gi", "--set=imagePullSecrets[0].name=registry", "--set=tolerations[0].operator=Exists",
				"--set-string=nodeSelector.zone=a", "--set=affinity.nodeAffinity.a=b", "--set=extraArgs={--v=2}"))
			for title, object := range got {
				if !strings.HasPrefix(title, "Deployment ") {
					continue
				}
				spec := object["spec"].(map[string]any)
				pod := spec["template"].(map[string]any)["spec"].(map[string]any)
				container := pod["containers"].([]any)[0].(map[string]any)
				args := container["args"].([]any)
				text := fmt.Sprintln(spec["replicas"], container["resources"], pod["imagePullSecrets"], pod["tolerations"], pod["nodeSelector"], pod["affinity"], args[len(args)-1])
				if want := "3 map[limits:map[memory:1Gi] requests:map[cpu:100m memory:" + memory +
					"]] [map[name:registry]] [map[operator:Exists]] map[kubernetes.io/os:linux zone:a] map[nodeAffinity:map[a:b]] --v=2\n"; text != want {
					t.Errorf("%s, %s: got\n%s\nwant\n%s", release, title, text, want)
				}
			}
		}
	}
}

// Mistakes are refused with the value and what it may be, by the schema or by a sentence.
func TestValuesThatCannotBe(t *testing.T) {
	group := "--set=group=claims.example.com"
	refuses(t, map[string]refusal{
		"no group":                     {webhookChart, nil, []string{"no group is named: one of your own, like group=claims.example.com"}},
		"a group without a dot":        {webhookChart, []string{"--set=group=claims"}, []string{"group"}},
		"a group in capitals":          {webhookChart, []string{"--set=group=Claims.example.com"}, []string{"group"}},
		"a value that is none":         {webhookChart, []string{group, "--set=certificate=self"}, []string{"certificate"}},
		"certificates of nobody":       {webhookChart, []string{group, "--set=certificates=vault"}, []string{"certificates"}},
		"a version that there is not":  {webhookChart, []string{group, "--set=versions={v2}"}, []string{"versions"}},
		"no version":                   {webhookChart, []string{group, "--set-json=versions=[]"}, []string{"versions"}},
		"a release with a patch level": {webhookChart, []string{group, "--set-string=kubernetesRelease=1.34.2"}, []string{"kubernetesRelease"}},
		"a CA that nobody asked":       {webhookChart, []string{group, "--set=caBundle=-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"}, []string{"caBundle is only given with certificates=files"}},
		"a private key":                {webhookChart, []string{group, "--set=certificates=files", "--set=caBundle=-----BEGIN PRIVATE KEY-----"}, []string{"caBundle"}},
		"a policy without a server":    {webhookChart, []string{group, "--set=admissionPolicy=true"}, []string{"admissionPolicy is only for certificates=self"}},
		"an image with its tag":        {webhookChart, []string{group, "--set=image.repository=a:v1"}, []string{"repository"}},
		"no limit of memory":           {webhookChart, []string{group, "--set-json=resources={\"limits\":null}"}, []string{"limits"}},
		"the default namespace":        {webhookChart, []string{group, "--namespace=default"}, []string{"name one for claimbridge alone"}},
	})
}

// refusal of a chart with arguments.
type refusal struct {
	chart string
	args  []string
	want  []string // all of them are in the error
}

func refuses(t *testing.T, tests map[string]refusal) {
	t.Helper()
	for name, test := range tests {
		for _, release := range releases {
			t.Run(release+", "+name, func(t *testing.T) {
				t.Parallel()
				args := append([]string{"template", "a", test.chart, "--namespace=claims"}, test.args...)
				stdout, stderr, err := newHelm(t, release).try(t.Context(), args...)
				if err == nil || stdout != "" {
					t.Fatalf("it is rendered: %d bytes", len(stdout))
				}
				for _, want := range test.want {
					if !strings.Contains(stderr, want) {
						t.Errorf("no %q in\n%s", want, stderr)
					}
				}
			})
		}
	}
}

func TestTheChartIsLinted(t *testing.T) { linted(t, webhookChart, "group=claims.example.com") }

func linted(t *testing.T, chart, values string) {
	t.Helper()
	for _, release := range releases {
		out := newHelm(t, release).run(t, "lint", "--strict", "--namespace=claims", chart, "--set="+values)
		if !strings.Contains(out, "1 chart(s) linted, 0 chart(s) failed") || strings.Contains(out, "WARNING") {
			t.Errorf("%s: %s", release, out)
		}
	}
}

// Releases of Kubernetes that the chart is for, and builds of them by others.
func TestClustersThatTheChartIsFor(t *testing.T) {
	areFor(t, webhookChart, "group=claims.example.com", "1.25.16", "1.26.0", "v1.30.3-gke.1225000", "v1.37.0-rc.1")
}

func areFor(t *testing.T, chart, values, tooOld string, taken ...string) {
	t.Helper()
	for _, helm := range releases {
		h := newHelm(t, helm)
		for _, release := range append(taken, tooOld) {
			_, stderr, err := h.try(t.Context(), "template", "a", chart, "--namespace=claims", "--set="+values, "--kube-version="+release)
			if (err == nil) == (release == tooOld) || err != nil && !strings.Contains(stderr, "chart requires kubeVersion: >=1.") {
				t.Errorf("%s, %s, Kubernetes %s: %v %s", helm, chart, release, err, stderr)
			}
		}
	}
}
