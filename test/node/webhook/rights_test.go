//go:build node

package webhook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// everybody's ClusterRoles: those of each account of each cluster, and the one that the manifests bind.
var everybody = []string{"system:discovery", "system:basic-user", "system:public-info-viewer", "system:service-account-issuer-discovery", "system:auth-delegator"}

// expectRights: the account of the server may do what the manifests say, in its namespace and elsewhere, and nothing else.
func (c *cluster) expectRights(t *testing.T) {
	t.Helper()
	cluster, own := c.rightsOfManifests(t)
	for _, name := range everybody {
		role, err := c.core.RbacV1().ClusterRoles().Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(cluster, rights(role.Rules))
	}
	config := c.Config()
	config.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + namespace + ":claimbridge",
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
	}
	account, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(own, cluster)
	for place, allowed := range map[string]map[string]bool{namespace: own, "default": cluster, "kube-system": cluster} {
		review := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: place}}
		told, err := account.AuthorizationV1().SelfSubjectRulesReviews().Create(t.Context(), review, metav1.CreateOptions{})
		if err != nil || told.Status.Incomplete {
			t.Fatal(told, err)
		}
		var rules []rbacv1.PolicyRule
		for _, r := range told.Status.ResourceRules {
			rules = append(rules, rbacv1.PolicyRule{Verbs: r.Verbs, APIGroups: r.APIGroups, Resources: r.Resources, ResourceNames: r.ResourceNames})
		}
		for _, r := range told.Status.NonResourceRules {
			rules = append(rules, rbacv1.PolicyRule{Verbs: r.Verbs, NonResourceURLs: r.NonResourceURLs})
		}
		has := rights(rules)
		for right := range has {
			if !allowed[right] {
				t.Errorf("in %s the account may: %s", place, right)
			}
		}
		for right := range allowed {
			if !has[right] {
				t.Errorf("in %s the account may not: %s", place, right)
			}
		}
		t.Logf("in %s the account has %d rights, those of the manifests and of everybody", place, len(has))
	}
	for _, must := range []string{"list secrets", "create pods", "list resourceclaims." + group, "update customresourcedefinitions", "patch validatingwebhookconfigurations/another", "get secrets/another"} {
		verb, what, _ := strings.Cut(must, " ")
		said, err := c.try(t.Context(), t.TempDir(), fmt.Sprintf("kubectl auth can-i %s %s -n %s --as=system:serviceaccount:%[3]s:claimbridge", verb, what, namespace))
		if err == nil || !strings.Contains(said, "no") {
			t.Errorf("the account may %s: %s", must, said)
		}
	}
}

// rightsOfManifests for the account: in the whole cluster, and in its own namespace.
func (c *cluster) rightsOfManifests(t *testing.T) (cluster, own map[string]bool) {
	t.Helper()
	render := exec.CommandContext(t.Context(), "sh", "-c", "claimbridge manifests --group="+group+" --certificates=self")
	render.Env = c.environ
	stream, err := render.Output()
	if err != nil {
		t.Fatal(err)
	}
	cluster, own = map[string]bool{}, map[string]bool{}
	roles, bound := map[string][]rbacv1.PolicyRule{}, map[string]bool{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(stream), 4096)
	for {
		var o struct {
			Kind     string
			Metadata struct{ Name string }
			Rules    []rbacv1.PolicyRule
			RoleRef  rbacv1.RoleRef
		}
		if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(o.Kind, "Role"):
			roles[o.Kind+" "+o.Metadata.Name] = o.Rules
		case strings.HasSuffix(o.Kind, "RoleBinding"):
			bound[o.RoleRef.Kind+" "+o.RoleRef.Name] = true
		}
	}
	for name := range bound {
		if strings.HasPrefix(name, "ClusterRole ") {
			maps.Copy(cluster, rights(roles[name]))
		} else {
			maps.Copy(own, rights(roles[name]))
		}
	}
	if len(cluster) == 0 || len(own) == 0 {
		t.Fatal("the manifests give the account no rights")
	}
	return cluster, own
}

// rights that rules give, one by one.
func rights(rules []rbacv1.PolicyRule) map[string]bool {
	all := map[string]bool{}
	for _, r := range rules {
		names := r.ResourceNames
		if len(names) == 0 {
			names = []string{"any"}
		}
		for _, verb := range r.Verbs {
			for _, url := range r.NonResourceURLs {
				all[verb+" "+url] = true
			}
			for _, group := range r.APIGroups {
				for _, resource := range r.Resources {
					for _, name := range names {
						all[strings.Join([]string{verb, group + "/" + resource, name}, " ")] = true
					}
				}
			}
		}
	}
	return all
}
