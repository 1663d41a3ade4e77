package names

import "k8s.io/apimachinery/pkg/util/validation"

// SubdomainProblems returns apimachinery's messages if a name is not a DNS subdomain.
func SubdomainProblems(name string) []string {
	if IsSubdomain(name) {
		return nil
	}
	return validation.IsDNS1123Subdomain(name)
}

// LabelProblems returns apimachinery's messages if a name is not a DNS label.
func LabelProblems(name string) []string {
	if IsLabel(name) {
		return nil
	}
	return validation.IsDNS1123Label(name)
}
