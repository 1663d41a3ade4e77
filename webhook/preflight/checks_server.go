package preflight

import (
	"cmp"
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
)

// serverChecks are about the server: its Secret, its rights and the policy that bounds them, its pods.
var serverChecks = []Check{
	certificateSecretIsFilled,
	serverHasItsRights,
	admissionPolicyIsWhole,
	deploymentIsAvailable,
}

var certificateSecretIsFilled = Check{
	Name:     "certificate-secret-is-filled",
	Reason:   "The server gets no certificate from a Secret that is not there or has none in it: its pods do not start, or do not get ready.",
	Severity: Problem,
	Remedy:   "With cert-manager look at the Certificate that makes it; with files of your own create it; else look at the log of claimbridge.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil {
			return
		}
		source, known := sourceOf(deployment)
		if !known {
			return
		}
		secret, seen := get[corev1.Secret](v, secrets, v.options.Namespace, source.name)
		if !seen {
			return
		}
		what := "does not exist, but the Deployment names it"
		if secret != nil {
			_, err := parseCertificates(secret.Data[corev1.TLSCertKey])
			if err == nil {
				return
			}
			if source.authority && deployment.Status.ReadyReplicas == 0 {
				return // the server fills it in once a pod runs: deployment-is-available says that none does
			}
			what = fmt.Sprintf("has no certificate under %s: %v", corev1.TLSCertKey, err)
		}
		v.report(secrets.object(v.options.Namespace, source.name), what, fill(v, source, secret != nil))
	},
}

// fill the Secret, or make it.
func fill(v *view, source certificateSource, exists bool) remedy {
	switch {
	case source.authority && exists:
		return say("the server should fill it in, and looks every ten seconds: run preflight again; if it is still so then, see its log").by(v.inNamespace("logs", "deployment/"+name, "--tail=50"))
	case source.authority:
		return v.apply(config.ServerPart)
	case v.certificates() == config.CertManager:
		return v.byCertManager("cert-manager makes it; see why it does not")
	}
	return say("put your certificate there: kubectl create secret generic %s -n %s --type=kubernetes.io/tls --from-file=tls.crt --from-file=tls.key --from-file=ca.crt",
		source.name, v.options.Namespace)
}

var serverHasItsRights = Check{
	Name:     "server-has-its-rights",
	Reason:   "With certificates of its own the server reads and writes a Secret and the four objects with a caBundle. Without these rights nobody notices before the CA is renewed; then every call fails. Without the others, which are only warned of, it answers no reader of its metrics and cannot look at the cluster.",
	Severity: Problem,
	Remedy:   "Apply the server again, which has its roles and their bindings.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil || v.servesAnother() {
			return // its rights are those for another group, as server-serves-this-group says
		}
		account := cmp.Or(deployment.Spec.Template.Spec.ServiceAccountName, "default")
		object := Object{Kind: "ServiceAccount", Namespace: deployment.Namespace, Name: account}
		var missing []right
		for _, r := range v.options.rendered.rights() {
			if r.role == name && v.certificates() != config.Self {
				continue // only a server that is its own CA has, and needs, the role of that name
			}
			allowed, err := v.may(account, r)
			if err != nil {
				v.unseen(object, "create", subjectAccessReviews, err)
				return
			}
			if !allowed {
				missing = append(missing, r)
			}
		}
		v.reportRights(object, missing)
	},
}

func (v *view) reportRights(object Object, missing []right) {
	r := v.apply(config.ServerPart)
	for _, role := range roles(missing) {
		var lacks []string
		for _, r := range missing {
			if r.role == role {
				lacks = append(lacks, r.String())
			}
		}
		what := fmt.Sprintf("may not %s, which the role %s allows: it is gone, changed or not bound", some(lacks), role)
		if role == name {
			v.report(object, what, r)
		} else {
			v.warn(object, what, r)
		}
	}
}

// may the account of the server do that?
func (v *view) may(account string, r right) (bool, error) {
	attributes := r.ResourceAttributes
	review := authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:               "system:serviceaccount:" + v.options.Namespace + ":" + account,
		Groups:             []string{"system:serviceaccounts", "system:serviceaccounts:" + v.options.Namespace, "system:authenticated"},
		ResourceAttributes: &attributes,
	}}
	answer, err := post[authorizationv1.SubjectAccessReview](v, subjectAccessReviews.path("", ""), review)
	return err == nil && answer.Status.Allowed, err
}

var admissionPolicyIsWhole = Check{
	Name:     "admission-policy-is-whole",
	Reason:   "With --admission-policy the server's account may change nothing but the caBundle of what it may patch. Without its binding the policy holds nobody, and a stolen token of that account is worth as much as cluster-admin again. Where neither is there, nobody can tell that there was one.",
	Severity: Problem,
	Remedy:   "Apply the server again, with --admission-policy.",
	find: func(v *view) {
		policy, seen := v.policy()
		binding, boundSeen := v.policyBinding()
		if policy == nil && binding == nil || !seen || !boundSeen || v.certificates() != config.Self {
			return // not installed, or for an account that may patch nothing anyway
		}
		want := &v.options.rendered.policy
		switch {
		case policy == nil:
			v.report(policies.object("", name), "does not exist, though its binding does: the account of the server may change all of what it may patch", v.apply(config.ServerPart))
		case text(policy.Spec) != text(want.Spec):
			v.report(policies.object("", name), "is not that of this release, so the account of the server may be able to change more than the caBundle", v.policyAnew())
		}
		switch {
		case binding == nil:
			v.report(policyBindings.object("", name), "does not exist, so the policy holds nobody: the account of the server may change all of what it may patch", v.apply(config.ServerPart))
		case text(binding.Spec) != text(v.options.rendered.policyBinding.Spec):
			v.report(policyBindings.object("", name), fmt.Sprintf("is not that of this release: it is %s, not %s", text(binding.Spec), text(v.options.rendered.policyBinding.Spec)), v.policyAnew())
		}
	},
}

// policyAnew, since applying takes away no condition and no selector that somebody else has added.
func (v *view) policyAnew() remedy {
	r := v.apply(config.ServerPart)
	r.text = "delete the policy and its binding, then " + r.text
	if r.command != "" {
		r.command = v.kubectl("delete", "--ignore-not-found", "validatingadmissionpolicy,validatingadmissionpolicybinding", name) + " && " + r.command
	}
	return r
}

func (v *view) policy() (policy *admissionregistrationv1.ValidatingAdmissionPolicy, seen bool) {
	return get[admissionregistrationv1.ValidatingAdmissionPolicy](v, policies, "", name)
}

func (v *view) policyBinding() (binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding, seen bool) {
	return get[admissionregistrationv1.ValidatingAdmissionPolicyBinding](v, policyBindings, "", name)
}

// policyObjects that are there.
func (v *view) policyObjects() (all []metav1.Object) {
	if policy, _ := v.policy(); policy != nil {
		all = append(all, policy)
	}
	if binding, _ := v.policyBinding(); binding != nil {
		all = append(all, binding)
	}
	return all
}

// defaultPolicy fills in what an API server does, so that what it stored can be compared.
func defaultPolicy(p *admissionregistrationv1.ValidatingAdmissionPolicy) {
	match := p.Spec.MatchConstraints
	equivalent, all := admissionregistrationv1.Equivalent, admissionregistrationv1.AllScopes
	match.MatchPolicy, match.NamespaceSelector, match.ObjectSelector = &equivalent, &metav1.LabelSelector{}, &metav1.LabelSelector{}
	for i := range match.ResourceRules {
		match.ResourceRules[i].Scope = &all
	}
}

var deploymentIsAvailable = Check{
	Name:     "deployment-is-available",
	Reason:   "With fewer pods than wanted the next failure or the next node that is drained ends conversion. A server that is not run by a Deployment named claimbridge is not looked at.",
	Severity: Problem,
	Remedy:   "See why the pods do not start, or do not get ready; docs/troubleshooting.md, \"The installation\", has the texts, as of an image that cannot be pulled.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil || v.explained(certificateSecretIsFilled) {
			return // without the Secret no pod starts
		}
		object := deployments.object(deployment.Namespace, deployment.Name)
		remedy := v.podsOf()
		wanted, ready := deref(deployment.Spec.Replicas, 1), deployment.Status.ReadyReplicas
		switch {
		case wanted == 0:
			v.report(object, "is scaled to 0", say("start it").by(v.inNamespace("scale", "deployment", deployment.Name, "--replicas=2")))
		case ready == 0:
			v.report(object, fmt.Sprintf("none of its %d pods is ready%s", wanted, because(deployment)), remedy)
		case ready < wanted:
			v.warn(object, fmt.Sprintf("%d of its %d pods are ready%s", ready, wanted, because(deployment)), remedy)
		}
	},
}

// because of what the Deployment's conditions say.
func because(deployment *appsv1.Deployment) string {
	var all []string
	for _, c := range deployment.Status.Conditions {
		if bad := (c.Type == appsv1.DeploymentReplicaFailure) == (c.Status == corev1.ConditionTrue); bad && c.Message != "" {
			all = append(all, c.Message)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, " ")
}
