package preflight

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

var foreignWebhooksAnswer = Check{
	Name:     "foreign-webhooks-answer",
	Reason:   "Webhooks of other programs whose rules match claims may refuse a write, or change it; one that does not answer makes every write fail. Those that can be called are only warned of, by name.",
	Severity: Problem,
	Remedy:   "Start the program that the webhook belongs to, or have its owner leave claims out of its rules.",
	find: func(v *view) {
		if v.aside().absent() {
			return // there are no claims yet
		}
		for _, hook := range v.foreignHooks() {
			field := "webhooks[" + hook.Name + "]"
			optional, dead := isIgnore(hook.FailurePolicy), v.dead(hook)
			switch {
			case dead != "" && !optional:
				v.report(hook.object, fmt.Sprintf("%s is asked about writes of claims, which fail: %s", field, dead),
					say("start what it belongs to, or have its owner leave claims out of its rules").by(v.kubectl("get", hook.object.Kind, hook.object.Name, "-o", "yaml")))
			case dead != "":
				v.warn(hook.object, fmt.Sprintf("%s is asked about writes of claims, which wait for it in vain: %s", field, dead),
					say("start what it belongs to, or have its owner leave claims out of its rules").by(v.kubectl("get", hook.object.Kind, hook.object.Name, "-o", "yaml")))
			case !optional || hook.object.Kind == mutatingConfigurations.kind:
				v.warn(hook.object, field+" is asked about writes of claims too, and may refuse or change them",
					say("nothing, if that is meant; --skip=%s leaves it out", v.check.Name))
			}
		}
	},
}

// dead says why nobody can answer a webhook, or nothing.
func (v *view) dead(hook foreignHook) string {
	s := hook.ClientConfig.Service
	if s == nil {
		return ""
	}
	service, seen := v.service(s.Namespace, s.Name)
	if service == nil {
		if seen {
			return fmt.Sprintf("Service %s/%s does not exist", s.Namespace, s.Name)
		}
		return ""
	}
	port := portOf(service, deref(s.Port, httpsPort))
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		return ""
	case port == nil:
		return fmt.Sprintf("Service %s/%s has no port %d", s.Namespace, s.Name, deref(s.Port, httpsPort))
	}
	slices, seen := list[discoveryv1.EndpointSlice](v, endpointSlices, s.Namespace, discoveryv1.LabelServiceName+"="+s.Name)
	if why := unreachable(slices, port); seen && why != "" {
		return fmt.Sprintf("Service %s/%s %s", s.Namespace, s.Name, why)
	}
	return ""
}
