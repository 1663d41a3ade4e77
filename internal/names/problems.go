package names

import "k8s.io/apimachinery/pkg/util/validation"

// SubdomainProblems says in apimachinery's words why a name is no DNS subdomain; nothing when it is one.
func SubdomainProblems(name string) []string {
	if IsSubdomain(name) {
		return nil
	}
	return validation.IsDNS1123Subdomain(name)
}

// LabelProblems says in apimachinery's words why a name is no DNS label; nothing when it is one.
func LabelProblems(name string) []string {
	if IsLabel(name) {
		return nil
	}
	return validation.IsDNS1123Label(name)
}
