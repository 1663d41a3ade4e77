//go:build e2e

package install

import (
	"fmt"
	"strings"
	"testing"
)

// What users of the chart set beside the flags of claimbridge manifests gets to the pods.
func TestPodsHaveTheConfiguredSettings(t *testing.T) {
	for _, mode := range modes {
		for _, release := range releases {
			got := objects(t,
				newHelm(t, release).run(t, "template", "a", chartFolder, "--namespace=claims",
					"--set=group=claims.example.com", "--set=image.tag="+imageTag, "--set=certificates="+string(mode),
					"--set=replicas=3",
					"--set=resources.limits.memory=1Gi", "--set=imagePullSecrets[0].name=registry",
					"--set=tolerations[0].operator=Exists",
					"--set-string=nodeSelector.zone=a", "--set=affinity.nodeAffinity.a=b", "--set=extraArgs={--v=2}"))
			for title, object := range got {
				if !strings.HasPrefix(title, "Deployment ") {
					continue
				}
				spec := object["spec"].(map[string]any)
				pod := spec["template"].(map[string]any)["spec"].(map[string]any)
				container := pod["containers"].([]any)[0].(map[string]any)
				args := container["args"].([]any)
				text := fmt.Sprintln(spec["replicas"], container["resources"], pod["imagePullSecrets"],
					pod["tolerations"], pod["nodeSelector"], pod["affinity"], args[len(args)-1])
				if want := "3 map[limits:map[memory:1Gi] requests:map[cpu:100m memory:64Mi" +
					"]] [map[name:registry]] [map[operator:Exists]] map[kubernetes.io/os:linux zone:a] " +
					"map[nodeAffinity:map[a:b]] --v=2\n"; text != want {
					t.Errorf("%s, %s: got\n%s\nwant\n%s", release, title, text, want)
				}
			}
		}
	}
}

// Invalid values are rejected with the value and the valid ones, by the schema or by a message.
func TestInvalidValues(t *testing.T) {
	group := "--set=group=claims.example.com"
	for name, test := range map[string]struct {
		args []string
		want string // is in the error
	}{
		"no group": {
			nil,
			"group is required: use your own group, such as group=claims.example.com",
		},
		"a group without a dot":          {[]string{"--set=group=claims"}, "group"},
		"a group in capitals":            {[]string{"--set=group=Claims.example.com"}, "group"},
		"a value that is none":           {[]string{group, "--set=certificate=self"}, "certificate"},
		"unknown source of certificates": {[]string{group, "--set=certificates=vault"}, "certificates"},
		"a version that there is not":    {[]string{group, "--set=versions={v2}"}, "versions"},
		"no version":                     {[]string{group, "--set-json=versions=[]"}, "versions"},
		"a release with a patch level":   {[]string{group, "--set-string=kubernetesRelease=1.34.2"}, "kubernetesRelease"},
		"a superfluous CA": {
			[]string{group, "--set=caBundle=-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"},
			"caBundle requires certificates=files",
		},
		"a private key": {
			[]string{group, "--set=certificates=files", "--set=caBundle=-----BEGIN PRIVATE KEY-----"},
			"caBundle",
		},
		"a policy without a server": {
			[]string{group, "--set=admissionPolicy=true"},
			"admissionPolicy requires certificates=self",
		},
		"an image with its tag": {[]string{group, "--set=image.repository=a:v1"}, "repository"},
		"no image": {
			[]string{group},
			"image.tag or image.digest is required: only the charts of releases have an image",
		},
		"no limit of memory":    {[]string{group, "--set-json=resources={\"limits\":null}"}, "limits"},
		"the default namespace": {[]string{group, "--namespace=default"}, "use a dedicated namespace"},
	} {
		for _, release := range releases {
			t.Run(release+", "+name, func(t *testing.T) {
				t.Parallel()
				args := append([]string{"template", "a", chartFolder, "--namespace=claims"}, test.args...)
				stdout, stderr, err := newHelm(t, release).try(t.Context(), args...)
				if err == nil || stdout != "" {
					t.Fatalf("it is rendered: %d bytes", len(stdout))
				}
				if !strings.Contains(stderr, test.want) {
					t.Errorf("no %q in\n%s", test.want, stderr)
				}
			})
		}
	}
}

func TestTheChartIsLinted(t *testing.T) {
	for _, release := range releases {
		out := newHelm(t, release).run(t, "lint", "--strict", "--namespace=claims", chartFolder,
			"--set=group=claims.example.com", "--set=image.tag="+imageTag)
		if !strings.Contains(out, "1 chart(s) linted, 0 chart(s) failed") || strings.Contains(out, "WARNING") {
			t.Errorf("%s: %s", release, out)
		}
	}
}

// Releases of Kubernetes that the chart is for, and builds of them by others.
func TestClustersThatTheChartIsFor(t *testing.T) {
	for _, helm := range releases {
		h := newHelm(t, helm)
		for release, taken := range map[string]bool{
			"1.25.16": false, "1.26.0": true, "v1.30.3-gke.1225000": true, "v1.37.0-rc.1": true,
		} {
			_, stderr, err := h.try(t.Context(), "template", "a", chartFolder, "--namespace=claims",
				"--set=group=claims.example.com", "--set=image.tag="+imageTag, "--kube-version="+release)
			if (err == nil) != taken || err != nil && !strings.Contains(stderr, "chart requires kubeVersion: >=1.") {
				t.Errorf("%s, Kubernetes %s: %v %s", helm, release, err, stderr)
			}
		}
	}
}
