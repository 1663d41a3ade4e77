package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/config"
)

// claimsChecks are about the proof: a claim is written and read.
var claimsChecks = []Check{
	claimsCanBeWritten,
	claimsCanBeRead,
}

var claimsCanBeWritten = Check{
	Name:     "claims-can-be-written",
	Reason:   "The proof: a claim and a template are created in each served version, as a dry run, of which the API server keeps nothing but does all that a write needs: webhooks, policies, quota, schema, conversion. Then one that the rules refuse, which must be refused.",
	Severity: Problem,
	Remedy:   "As the API server's message says; where policies or quota forbid claims in the namespace default, give another with --claim-namespace.",
	find: func(v *view) {
		if v.groupIsTaken() {
			return // group-is-not-built-in and group-is-not-aggregated say so
		}
		good := v.permitted(v.probes(goodClass))
		v.try(good)
		for _, p := range good {
			if p.err != nil {
				v.refusedWrite(p, good)
			}
		}
		if slices.ContainsFunc(good, func(p *probe) bool { return p.err != nil }) {
			return
		}
		v.undefaulted(good)
		bad := v.permitted(v.probes(badClass))
		v.try(bad)
		v.unjudged(bad)
	},
}

// permitted probes, of those that the caller may try. The others are no proof of anything.
func (v *view) permitted(probes []*probe) (may []*probe) {
	for _, plural := range []string{claims, templates} {
		of := func(p *probe) bool { return p.plural == plural }
		if i := slices.IndexFunc(probes, of); i >= 0 && !v.mayCreate(plural) {
			r := probes[i].resource
			v.doubt(Object{Kind: r.kind, Name: r.group}, fmt.Sprintf("could not try a write: you may not create %s in namespace %s, not even as a dry run", r, v.options.ClaimNamespace),
				say("allow create on %s in namespace %s, give another with --claim-namespace, or leave this out with --skip=%s", r, v.options.ClaimNamespace, v.check.Name))
			probes = slices.DeleteFunc(probes, of)
		}
	}
	return probes
}

// refusedWrite says who was in the way.
func (v *view) refusedWrite(p *probe, all []*probe) {
	text, object := message(p.err), Object{Kind: p.kind, Name: p.group + "/" + p.version}
	what := "a claim cannot be created in namespace " + v.options.ClaimNamespace + ": " + text
	if c := v.uncalled(text); c != nil {
		if !v.theWayIsKnown() {
			v.reportUncalled(c, text, "claims cannot be written in "+strings.Join(versionsOf(all, func(p *probe) bool { return p.err != nil }), ", "))
		}
		return
	}
	_, answered := status(p.err)
	switch {
	case refusesGroup.MatchString(text):
		v.reportOthers(text)
	case !answered:
		v.doubt(object, "could not try a write: "+text, say("find out why the API server does not answer, then run preflight again"))
	case apierrors.IsNotFound(p.err) && strings.HasPrefix(text, "namespaces "):
		v.doubt(object, "could not try a write: "+text, say("name a namespace for it that exists, with --claim-namespace"))
	case mayNot.MatchString(text):
		v.unseen(object, "create", p.resource, p.err)
	case strings.Contains(text, "does not support dry run"):
		v.doubt(object, "could not try a write: "+text, say("have the owner of that webhook say that it has no side effects, or leave this out with --skip=%s", v.check.Name))
	case notAsked.MatchString(text):
		v.once(Object{Kind: "admission webhook", Name: notAsked.FindStringSubmatch(text)[1]}, what, say("start what that webhook belongs to, or have its owner leave claims out of its rules").
			by(v.kubectl("get", "validatingwebhookconfigurations,mutatingwebhookconfigurations")))
	case policySaidNo.MatchString(text):
		policy := policySaidNo.FindStringSubmatch(text)[1]
		v.once(Object{Kind: "ValidatingAdmissionPolicy", Name: policy}, what,
			say("have its owner allow claims, or name a namespace with --claim-namespace where it does").by(v.kubectl("get", "validatingadmissionpolicy", policy, "-o", "yaml")))
	case saidNo.MatchString(text) && v.isOurs(saidNo.FindStringSubmatch(text)[1]):
		v.once(Object{Kind: p.kind, Name: p.group}, fmt.Sprintf("cannot be created in %s, in namespace %s: %s", p.version, v.options.ClaimNamespace, text), v.inTheLog())
	case saidNo.MatchString(text):
		v.once(Object{Kind: "admission webhook", Name: saidNo.FindStringSubmatch(text)[1]}, what,
			say("have its owner allow claims, or name a namespace with --claim-namespace where it does").by(v.kubectl("get", "validatingwebhookconfigurations,mutatingwebhookconfigurations")))
	case overQuota.MatchString(text):
		v.once(Object{Kind: "ResourceQuota", Namespace: v.options.ClaimNamespace, Name: overQuota.FindStringSubmatch(text)[1]}, what,
			say("raise the quota, or name another namespace with --claim-namespace").by(v.kubectl("-n", v.options.ClaimNamespace, "get", "resourcequotas")))
	case apierrors.IsNotFound(p.err) && v.found(definitionsAreAccepted):
	case (apierrors.IsBadRequest(p.err) || apierrors.IsInvalid(p.err)) && v.found(definitionsAreOfThisRelease):
	default:
		v.once(Object{Kind: p.kind, Name: p.group}, fmt.Sprintf("cannot be created in %s, in namespace %s: %s", p.version, v.options.ClaimNamespace, text), v.inTheLog())
	}
}

// once for each object, whatever fails by it.
func (v *view) once(object Object, what string, r remedy) {
	if !slices.ContainsFunc(v.findings, func(f Finding) bool { return f.Object == object && f.Severity == v.check.Severity }) {
		v.report(object, what, r)
	}
}

// undefaulted claims of versions in which nothing else is wrong with who fills in defaults.
func (v *view) undefaulted(probes []*probe) {
	in := versionsOf(probes, func(p *probe) bool { return !p.defaulted() })
	if len(in) > 0 && !v.found(mutatingConfigurationExists, everyServedVersionIsJudged, webhooksAreNotOptional, noWriteIsExempt, webhooksCallThisInstallation, conversionIsNotLeftBehind,
		severalVersionsAreConverted) {
		v.report(mutatingConfigurations.object("", name), "a claim of "+strings.Join(in, ", ")+" is created without its count: nobody fills in defaults, or something else than claimbridge answers",
			v.byServices())
	}
}

// unjudged claims of versions in which nothing else is wrong with who judges.
func (v *view) unjudged(probes []*probe) {
	in := versionsOf(probes, func(p *probe) bool { return p.err == nil })
	if len(in) > 0 && !v.found(validatingConfigurationExists, everyServedVersionIsJudged, webhooksAreNotOptional, noWriteIsExempt, webhooksCallThisInstallation, conversionIsNotLeftBehind) {
		v.report(validatingConfigurations.object("", name),
			fmt.Sprintf("a claim of the class %q is created in %s: nobody judges writes, or something else than claimbridge answers", badClass, strings.Join(in, ", ")), v.byServices())
	}
}

// byServices of the manifests, where a webhook calls something else.
func (v *view) byServices() remedy {
	var commands []string
	for _, c := range v.aside().admissions() {
		if c.url != "" {
			commands = append(commands, v.byService(&c))
		}
	}
	if len(commands) > 0 {
		return say("have it called by its Service").by(commands...)
	}
	return v.apply(config.WebhooksPart)
}

// versionsOf probes with some quality, each once.
func versionsOf(probes []*probe, has func(*probe) bool) (in []string) {
	for _, p := range probes {
		if has(p) && !slices.Contains(in, p.version) {
			in = append(in, p.version)
		}
	}
	return in
}

var claimsCanBeRead = Check{
	Name:     "claims-can-be-read",
	Reason:   "One claim that does not convert makes every list of its version fail. All claims and templates are read in each served version, page by page, for at most a minute (--claim-timeout), and those that do not convert are named. Only metadata is asked for.",
	Severity: Problem,
	Remedy:   "Mend or delete the claim through " + newest + ", which needs no conversion; docs/troubleshooting.md has the texts.",
	find: func(v *view) {
		if v.groupIsTaken() || v.found(claimsCanBeWritten) && v.cannotBeCalled() {
			return // group-is-not-built-in, group-is-not-aggregated or claims-can-be-written say so
		}
		// Who asks for it has this time for both kinds together.
		ctx, cancel := context.WithTimeout(v.ctx, v.options.ClaimTimeout)
		defer cancel()
		for _, crd := range v.established() {
			(&reading{view: v, ctx: ctx, crd: crd, bad: map[string]int{}, unlisted: map[string]error{}}).all()
		}
	},
}

// cannotBeCalled, or only for other groups: claims-can-be-written said so.
func (v *view) cannotBeCalled() bool {
	return slices.ContainsFunc(v.earlier, func(r Result) bool {
		return r.Check.Name == claimsCanBeWritten.Name && slices.ContainsFunc(r.Findings, func(f Finding) bool {
			return strings.HasPrefix(f.What, cannotCall) || strings.HasPrefix(f.What, servesOthers)
		})
	})
}
