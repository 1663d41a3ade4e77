//go:build e2e

package install

import (
	"fmt"
	"strings"
	"testing"
)

// The pods have the settings for which the chart has values and claimbridge manifests has no options.
func TestPodsHaveTheConfiguredSettings(t *testing.T) {
	const want = "3 map[limits:map[memory:1Gi] requests:map[cpu:100m memory:64Mi]] [map[name:registry]] " +
		"[map[operator:Exists]] map[kubernetes.io/os:linux zone:a] map[nodeAffinity:map[a:b]] --v=2\n"
	for _, certificates := range certificateSources {
		for _, helmVersion := range helmVersions {
			stream := newHelm(t, helmVersion).run(t, "template", "a", chartFolder, "--namespace=claims",
				"--set=group=claims.example.com", "--set=image.tag="+imageTag,
				"--set=certificates="+string(certificates),
				"--set=replicas=3",
				"--set=resources.limits.memory=1Gi", "--set=imagePullSecrets[0].name=registry",
				"--set=tolerations[0].operator=Exists",
				"--set-string=nodeSelector.zone=a", "--set=affinity.nodeAffinity.a=b", "--set=extraArgs={--v=2}")
			deployments := 0
			for title, object := range objectsByTitle(t, stream) {
				if !strings.HasPrefix(title, "Deployment ") {
					continue
				}
				deployments++
				spec := object["spec"].(map[string]any)
				pod := spec["template"].(map[string]any)["spec"].(map[string]any)
				container := pod["containers"].([]any)[0].(map[string]any)
				args := container["args"].([]any)
				got := fmt.Sprintln(spec["replicas"], container["resources"], pod["imagePullSecrets"],
					pod["tolerations"], pod["nodeSelector"], pod["affinity"], args[len(args)-1])
				if got != want {
					t.Errorf("%s, %s: got\n%s\nwant\n%s", helmVersion, title, got, want)
				}
			}
			if deployments != 1 {
				t.Errorf("%s, certificates=%s: got %d Deployments, want 1", helmVersion, certificates, deployments)
			}
		}
	}
}

// The schema or a template of the chart rejects invalid values with an error that names the value.
func TestInvalidValues(t *testing.T) {
	group := "--set=group=claims.example.com"
	for name, test := range map[string]struct {
		args []string
		want string // a part of the error
	}{
		"no group": {
			nil,
			"group is required: use your own group, such as group=claims.example.com",
		},
		"group without a dot":            {[]string{"--set=group=claims"}, "group"},
		"group in capitals":              {[]string{"--set=group=Claims.example.com"}, "group"},
		"unknown value":                  {[]string{group, "--set=certificate=self"}, "certificate"},
		"unknown source of certificates": {[]string{group, "--set=certificates=vault"}, "certificates"},
		"unknown version":                {[]string{group, "--set=versions={v2}"}, "versions"},
		"no versions":                    {[]string{group, "--set-json=versions=[]"}, "versions"},
		"release with a patch version":   {[]string{group, "--set-string=kubernetesRelease=1.34.2"}, "kubernetesRelease"},
		"CA bundle with other certificates": {
			[]string{group, "--set=caBundle=-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"},
			"caBundle requires certificates=files",
		},
		"private key as CA bundle": {
			[]string{group, "--set=certificates=files", "--set=caBundle=-----BEGIN PRIVATE KEY-----"},
			"caBundle",
		},
		"policy with other certificates": {
			[]string{group, "--set=admissionPolicy=true"},
			"admissionPolicy requires certificates=self",
		},
		"tag in the repository": {[]string{group, "--set=image.repository=a:v1"}, "repository"},
		"no image": {
			[]string{group},
			"image.tag or image.digest is required: only the charts of releases have an image",
		},
		"no memory limit":   {[]string{group, "--set-json=resources={\"limits\":null}"}, "limits"},
		"default namespace": {[]string{group, "--namespace=default"}, "use a dedicated namespace"},
	} {
		for _, helmVersion := range helmVersions {
			t.Run(helmVersion+", "+name, func(t *testing.T) {
				t.Parallel()
				args := append([]string{"template", "a", chartFolder, "--namespace=claims"}, test.args...)
				stdout, stderr, err := newHelm(t, helmVersion).try(t.Context(), args...)
				if err == nil || stdout != "" {
					t.Fatalf("got error %v and %d bytes of manifests, want an error and no manifests", err, len(stdout))
				}
				if !strings.Contains(stderr, test.want) {
					t.Errorf("the error does not contain %q:\n%s", test.want, stderr)
				}
			})
		}
	}
}

func TestChartPassesLint(t *testing.T) {
	for _, helmVersion := range helmVersions {
		output := newHelm(t, helmVersion).run(t, "lint", "--strict", "--namespace=claims", chartFolder,
			"--set=group=claims.example.com", "--set=image.tag="+imageTag)
		if !strings.Contains(output, "1 chart(s) linted, 0 chart(s) failed") || strings.Contains(output, "WARNING") {
			t.Errorf("%s: got failures or warnings, want none:\n%s", helmVersion, output)
		}
	}
}

// The chart supports releases of Kubernetes since 1.26, including the version strings of providers and prereleases.
func TestSupportedKubernetesVersions(t *testing.T) {
	for _, helmVersion := range helmVersions {
		h := newHelm(t, helmVersion)
		for kubeVersion, isSupported := range map[string]bool{
			"1.25.16": false, "1.26.0": true, "v1.30.3-gke.1225000": true, "v1.37.0-rc.1": true,
		} {
			_, stderr, err := h.try(t.Context(), "template", "a", chartFolder, "--namespace=claims",
				"--set=group=claims.example.com", "--set=image.tag="+imageTag, "--kube-version="+kubeVersion)
			if (err == nil) != isSupported {
				t.Errorf("%s, Kubernetes %s: got error %v, want supported: %t\n%s", helmVersion, kubeVersion, err,
					isSupported, stderr)
			}
			if err != nil && !strings.Contains(stderr, "chart requires kubeVersion: >=1.") {
				t.Errorf("%s, Kubernetes %s: the error does not name the required version:\n%s", helmVersion, kubeVersion,
					stderr)
			}
		}
	}
}
