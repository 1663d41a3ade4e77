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
	all, _ := list[apiService](v, apiServices, "", "")
	all = slices.DeleteFunc(all, func(s apiService) bool { return s.Spec.Group != v.options.Group })
	slices.SortFunc(all, func(a, b apiService) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// builtIn tells a version that kube-apiserver serves from its own code. It labels those of definitions "true".
func (s apiService) builtIn() bool {
	return s.Labels["kube-aggregator.kubernetes.io/automanaged"] == "onstart"
}
