package manifest

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// KustomizationNames are those of files that kustomize reads.
var KustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// IsKustomization reports whether kustomize reads a file by its name.
func IsKustomization(file string) bool {
	return slices.Contains(KustomizationNames, filepath.Base(file))
}

// KustomizeGroup is the API group of kustomizations and components.
const KustomizeGroup = "kustomize.config.k8s.io"

// kustomized gives an object in a file that kustomize reads by its name the type that kustomize does, where it does not say its own.
func (d *Document) kustomized() {
	if d.APIVersion != "" && d.Kind != "" || !IsKustomization(d.File) {
		return
	}
	ours := d.APIVersion == "" || strings.HasPrefix(d.APIVersion, KustomizeGroup+"/")
	switch {
	case ours && (d.Kind == "" || d.Kind == "Kustomization"):
		d.APIVersion, d.Kind = cmp.Or(d.APIVersion, KustomizeGroup+"/v1beta1"), "Kustomization"
	case ours && d.Kind == "Component":
		d.APIVersion = KustomizeGroup + "/v1alpha1"
	}
}
