package yamledit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

const (
	otherGroup  = "the vendor gave its parameters another API group"
	otherConfig = "the vendor gave its configuration another API group"
	realigned   = "the lines of a CEL expression were aligned anew"
	toleration  = "a toleration was added"
	anotherTest = "it is another manifest of the same name"
	controller  = "the controller was dropped, which the conversion keeps"
	emptyList   = "an empty list was kept, which convert adds to what is desired"
)

// handEdits are manifests whose authors changed more than the version when they migrated, and what they changed.
var handEdits = map[string]string{
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-1g.5gb, v1alpha1 to v1alpha2":      otherGroup,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-2g.10gb, v1alpha1 to v1alpha2":     otherGroup,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-3g.20gb, v1alpha1 to v1alpha2":     otherGroup,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-enabled-gpu, v1alpha1 to v1alpha2": otherGroup,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test5/shared-2g.10gb, v1alpha1 to v1alpha2":  otherGroup,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test-mps/shared-gpu, v1alpha3 to v1beta1":    otherConfig,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test-mps/shared-gpu, v1alpha3 to v1":         otherConfig,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test5/multiple-gpus, v1alpha3 to v1beta1":    otherConfig,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test5/multiple-gpus, v1alpha3 to v1":         otherConfig,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test6/a100, v1alpha3 to v1beta1":             otherConfig,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test6/a100, v1alpha3 to v1":                  otherConfig,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test6/a100, v1beta1 to v1":                   realigned,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-devices, v1alpha3 to v1beta1":      emptyList,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-devices, v1alpha3 to v1":           emptyList,
	"NVIDIA_k8s-dra-driver-gpu ResourceClaimTemplate gpu-test4/mig-devices, v1beta1 to v1":            emptyList,
	"kubernetes_kubernetes ResourceClaim /external-claim, v1beta1 to v1":                              toleration,
	"kubernetes_kubernetes ResourceClaimTemplate /test-claim-template, v1alpha3 to v1beta2":           anotherTest,
	"kubernetes_kubernetes ResourceClaimTemplate /test-claim-template, v1beta2 to v1":                 anotherTest,
	"kubernetes_kubernetes ResourceClaimTemplate /test-claim-template, v1alpha3 to v1":                anotherTest,
	"kubernetes_kubernetes ResourceClaimTemplate /another-test-claim-template, v1alpha3 to v1":        controller,
	"kubernetes_kubernetes ResourceClaim /test-claim-{{.Index}}, v1alpha3 to v1":                      controller,
}

// The corpus has some manifests in several versions, because their authors migrated them. An edit returns what they
// wrote.
func TestEditsEqualHandEdits(t *testing.T) {
	type manifests map[string]*yamldoc.Document // by project, kind and name
	versions := map[string]manifests{}
	for _, d := range corpus(t) {
		_, version, _ := strings.Cut(d.APIVersion, "/")
		if versions[version] == nil {
			versions[version] = manifests{}
		}
		project, _, _ := strings.Cut(d.File, "-v1")
		versions[version][project+" "+d.Kind+" "+d.Namespace+"/"+d.Name] = d
	}
	same, others := 0, map[string]bool{}
	for i, from := range api.Versions() {
		for _, to := range api.Versions()[i+1:] {
			if api.HasDevices(from.Name) != api.HasDevices(to.Name) {
				continue // how parameters become requests only their author knows
			}
			for name, d := range versions[from.Name] {
				theirs := versions[to.Name][name]
				if theirs == nil {
					continue
				}
				ours := editTo(t, d, to.Name)
				if ours == "" {
					continue
				}
				diff := cmp.Diff(withoutFirstLine(string(theirs.Text)), withoutFirstLine(ours))
				key := name + ", " + from.Name + " to " + to.Name
				switch why := handEdits[key]; {
				case diff == "" && why != "":
					t.Errorf("%s is the same now, but there is a reason why it is not: %s", key, why)
				case diff == "":
					same++
				case why == "":
					t.Errorf("%s (-theirs +ours)\n%s", key, diff)
				default:
					others[key] = true
				}
			}
		}
	}
	for key := range handEdits {
		if !others[key] {
			t.Errorf("%s is not in the corpus", key)
		}
	}
	t.Logf("%d are the same, %d were changed in more than their version", same, len(others))
	if same < 40 {
		t.Errorf("only %d are the same", same)
	}
}

// withoutFirstLine returns a text of the corpus without its first line, which names the source.
func withoutFirstLine(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}
