package preflight

import (
	"cmp"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/claimbridge/claimbridge/config"
)

var accountHasItsRights = Check{
	Name:     "account-has-its-rights",
	Reason:   "The server asks the cluster as its callers, which its account must have the right to, and whom to trust and who may what. Without a right requests fail, in words about the account and not about the caller.",
	Severity: Problem,
	Remedy:   "Apply the server again, which has its roles and their bindings.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil {
			return
		}
		wanted, err := v.aggregatedRights()
		if err != nil {
			v.doubt(deployments.object(deployment.Namespace, deployment.Name), "could not tell which rights it needs: "+err.Error(), v.apply(config.ServerPart))
			return
		}
		account := cmp.Or(deployment.Spec.Template.Spec.ServiceAccountName, "default")
		object := Object{Kind: "ServiceAccount", Namespace: deployment.Namespace, Name: account}
		var missing []right
		for _, r := range wanted {
			allowed, err := v.may(account, r)
			if err != nil {
				v.unseen(object, "create", subjectAccessReviews, err)
				return
			}
			if !allowed {
				missing = append(missing, r)
			}
		}
		for _, role := range roles(missing) {
			var lacks []string
			for _, r := range missing {
				if r.role == role {
					lacks = append(lacks, r.String())
				}
			}
			v.report(object, "may not "+some(lacks)+", which the role "+role+" allows: it is gone, changed or not bound", v.apply(config.ServerPart))
		}
	},
}

// aggregatedRights are those that the manifests give to a server with the flags of the one that is there.
func (v *view) aggregatedRights() ([]right, error) {
	manifests, err := config.AggregatedManifests(config.AggregatedOptions{
		Namespace: v.options.Namespace, Certificates: v.certificates(), Versions: v.servedOver(), ActAs: config.ActAs(v.actsAs()), Only: config.ServerPart,
	})
	if err != nil {
		return nil, err
	}
	var r rendered
	for document := range strings.SplitSeq(string(manifests), "\n---\n") {
		if err := r.add([]byte(document)); err != nil {
			return nil, err
		}
	}
	return append(r.rights(), spread(authenticationReader, "kube-system", []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, ResourceNames: []string{"extension-apiserver-authentication"}, Verbs: []string{"get", "list", "watch"}},
	})...), nil
}

// authenticationReader is a role of Kubernetes' own in kube-system, which every aggregated API server is bound to.
const authenticationReader = "extension-apiserver-authentication-reader"
