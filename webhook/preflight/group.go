package preflight

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ErrNoGroup is for a run without a group, where the cluster does not say which it is either.
var ErrNoGroup = errors.New("--group is required here")

// installedGroup is the one that the server of a namespace serves, by its flags.
func (c *cluster) installedGroup(ctx context.Context, namespace string) (string, error) {
	body, err := c.get(ctx, deployments.path(namespace, name), nil)
	switch {
	case apierrors.IsNotFound(err):
		return "", fmt.Errorf("%w: there is no Deployment %s in namespace %s that says which group it serves", ErrNoGroup, name, namespace)
	case err != nil:
		return "", fmt.Errorf("%w: could not look which group is served: %s", ErrNoGroup, oneLine(message(err)))
	}
	deployment, err := decode[appsv1.Deployment](body)
	if err != nil {
		return "", err
	}
	if groups := groupsOf(deployment); len(groups) > 1 || groups[0] == "*" {
		return "", fmt.Errorf("%w: the server in namespace %s serves %s", ErrNoGroup, namespace, strings.Join(groups, ", "))
	}
	return groupsOf(deployment)[0], nil
}

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

// builtIn is a version that kube-apiserver serves from its own code. It labels those of definitions "true".
func (s apiService) builtIn() bool {
	return s.Labels["kube-aggregator.kubernetes.io/automanaged"] == "onstart"
}

// groupIsBuiltIn means that kube-apiserver serves a version of the group from its own code.
func (v *view) groupIsBuiltIn() bool {
	return slices.ContainsFunc(v.aside().apiServices(), apiService.builtIn)
}

// groupIsTaken means that requests do not reach the definitions.
func (v *view) groupIsTaken() bool {
	return slices.ContainsFunc(v.aside().apiServices(), func(s apiService) bool { return s.builtIn() || s.Spec.Service != nil })
}

// refusesGroup is what a server says, in a conversion as in an admission, that was started for other groups. It was reached.
var refusesGroup = regexp.MustCompile(`API group "[^"]*" is not served here`)

const servesOthers = "a server of another group answers: "

// reportOthers once for what is called, unless the flags of the Deployment have said so already.
func (v *view) reportOthers(message string) {
	object := services.object(v.options.Namespace, name)
	if v.found(serverServesThisGroup) || slices.ContainsFunc(v.findings, func(f Finding) bool { return f.Object == object && strings.HasPrefix(f.What, servesOthers) }) {
		return
	}
	r := say("start the server with --group=%s", v.options.Group)
	if deployment, _ := v.aside().deployment(); deployment != nil {
		r = say("the Deployment has the right --group, so these are not its pods, or older ones: compare the endpoints of the Service with the addresses of its pods, then restart them (%s)", v.restart())
	}
	v.report(object, servesOthers+message, r.by(v.whoAnswers(v.options.Namespace, name)...))
}

// whoAnswers for a Service, and which pods there are.
func (v *view) whoAnswers(namespace, service string) []string {
	return []string{
		v.kubectl("-n", namespace, "get", "endpointslices", "-l", "kubernetes.io/service-name="+service, "-o", "wide"),
		v.kubectl("-n", namespace, "get", "pods", "-o", "wide"),
	}
}

// restart the pods, which is for a person to decide: it stands in the text of a remedy, never in its command.
func (v *view) restart() string { return v.inNamespace("rollout", "restart", "deployment/"+name) }
