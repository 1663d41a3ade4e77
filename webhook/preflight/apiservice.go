package preflight

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// apiService is what checks read of an APIService: not worth the module that has the type.
type apiService struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Group   string `json:"group"`
		Version string `json:"version"`
		Service *struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"service"`
	} `json:"spec"`
}

// apiServices of our group.
func (v *view) apiServices() []apiService {
	all := slices.DeleteFunc(v.allAPIServices(), func(s apiService) bool { return s.Spec.Group != v.options.Group })
	slices.SortFunc(all, func(a, b apiService) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (v *view) allAPIServices() []apiService {
	all, _ := list[apiService](v, apiServices, "", "")
	return all
}

// builtIn tells a version that kube-apiserver serves from its own code. It labels those of definitions "true".
func (s apiService) builtIn() bool {
	return s.Labels["kube-aggregator.kubernetes.io/automanaged"] == "onstart"
}

// groupIsBuiltIn tells that kube-apiserver serves a version of the group from its own code.
func (v *view) groupIsBuiltIn() bool {
	return slices.ContainsFunc(v.aside().apiServices(), apiService.builtIn)
}

// groupIsTaken tells that requests do not reach the definitions.
func (v *view) groupIsTaken() bool {
	return slices.ContainsFunc(v.aside().apiServices(), func(s apiService) bool { return s.builtIn() || s.Spec.Service != nil })
}
