package preflight

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/config"
)

// theWay to the server, and what else keeps every claim from being written as it should be, are looked at before.
var theWay = []*Check{
	claimbridgeIsInstalled,
	groupIsNotAggregated,
	definitionsAreAccepted,
	severalVersionsAreConverted,
	conversionIsNotLeftBehind,
	webhooksCallThisInstallation,
	serviceHasEndpoints, certificateIsTrusted,
}

var claimsCanBeWritten = &Check{
	Name: "claims-can-be-written",
	Reason: "The proof: a claim and a template are created in each served version, as a dry run that does all that a " +
		"write needs: webhooks, policies, quota, conversion. Then one that must be refused.",
	after: append([]*Check{
		validatingConfigurationExists,
		mutatingConfigurationExists,
		webhooksAreNotOptional,
		everyServedVersionIsJudged,
		noWriteIsExempt,
	}, theWay...),
	reads: whoCalls,
	try: func(ctx context.Context, c *cluster, s *state, r *report) {
		good := s.probes(goodClass)
		c.try(ctx, s.ClaimNamespace, good)
		for _, p := range good {
			if p.err != nil {
				refusedWrite(s, r, p, good)
			}
		}
		if len(versionsOf(good, func(p *probe) bool { return p.err != nil })) > 0 {
			return
		}
		if in := versionsOf(good, func(p *probe) bool { return !p.defaulted() }); len(in) > 0 {
			r.problem(mutatingConfigurations.object("", name),
				"a claim of "+strings.Join(in, ", ")+" is created without its count: nobody fills in defaults, or "+
					"something else than claimbridge answers",
				byServices(s))
		}
		bad := s.probes(badClass)
		c.try(ctx, s.ClaimNamespace, bad)
		if in := versionsOf(bad, func(p *probe) bool { return p.err == nil }); len(in) > 0 {
			r.problem(validatingConfigurations.object("", name),
				fmt.Sprintf("a claim of the class %q is created in %s: nobody judges writes, or something else than "+
					"claimbridge answers",
					badClass, strings.Join(in, ", ")),
				byServices(s))
		}
	},
}

// refusedWrite says who was in the way.
func refusedWrite(s *state, r *report, p *probe, all []*probe) {
	text, object := message(p.err), p.itself()
	what := "a claim cannot be created in namespace " + s.ClaimNamespace + ": " + text
	if c := s.uncalled(text); c != nil {
		failed := versionsOf(all, func(p *probe) bool { return p.err != nil })
		reportUncalled(s, r, c, text, "claims cannot be written in "+strings.Join(failed, ", "))
		return
	}
	const allow = "have its owner allow claims, or name a namespace with --claim-namespace where it does"
	webhooks := s.kubectl("get", "validatingwebhookconfigurations,mutatingwebhookconfigurations")
	named := func(says *regexp.Regexp) string { return append(says.FindStringSubmatch(text), "", "")[1] }
	silent, policy, denies, quota := named(notAsked), named(policySaidNo), named(saidNo), named(overQuota)
	_, answered := status(p.err)
	switch {
	case refusesGroup.MatchString(text):
		reportOthers(s, r, text)
	case !answered:
		r.add(Unknown, object, "could not try a write: "+text,
			say("find out why the API server does not answer, then run preflight again"))
	case apierrors.IsNotFound(p.err) && strings.HasPrefix(text, "namespaces "):
		r.add(Unknown, object, "could not try a write: "+text,
			say("name a namespace for it that exists, with --claim-namespace"))
	case mayNot.MatchString(text):
		r.findings = append(r.findings, unseen(Object{Kind: p.kind, Name: p.Group}, "create", p.resource, p.err))
	case strings.Contains(text, "does not support dry run"):
		r.add(Unknown, object, "could not try a write: "+text,
			say("have the owner of that webhook say that it has no side effects, or leave this out with --skip=%s",
				"claims-can-be-written"))
	case silent != "":
		r.once(Object{Kind: "admission webhook", Name: silent}, what,
			say("start what that webhook belongs to, or have its owner leave claims out of its rules").by(webhooks))
	case policy != "":
		r.once(Object{Kind: "ValidatingAdmissionPolicy", Name: policy}, what,
			say(allow).by(s.kubectl("get", "validatingadmissionpolicy", policy, "-o", "yaml")))
	case denies != "" && !s.isOurs(denies):
		r.once(Object{Kind: "admission webhook", Name: denies}, what, say(allow).by(webhooks))
	case quota != "":
		r.once(Object{Kind: "ResourceQuota", Namespace: s.ClaimNamespace, Name: quota}, what,
			say("raise the quota, or name another namespace with --claim-namespace").
				by(s.kubectl("-n", s.ClaimNamespace, "get", "resourcequotas")))
	default:
		r.once(Object{Kind: p.kind, Name: p.Group},
			fmt.Sprintf("cannot be created in %s, in namespace %s: %s", p.Version, s.ClaimNamespace, text),
			s.inTheLog())
	}
}

// byServices of the manifests, where a webhook calls something else.
func byServices(s *state) remedy {
	var commands []string
	for _, c := range s.admissions() {
		if c.url != "" {
			commands = append(commands, s.byService(&c))
		}
	}
	if len(commands) > 0 {
		return say("have it called by its Service").by(commands...)
	}
	return s.apply(config.WebhooksPart)
}

// versionsOf probes with some quality, each once.
func versionsOf(probes []*probe, has func(*probe) bool) (in []string) {
	for _, p := range probes {
		if has(p) && !slices.Contains(in, p.Version) {
			in = append(in, p.Version)
		}
	}
	return in
}

var claimsCanBeRead = &Check{
	Name: "claims-can-be-read",
	Reason: "One claim that does not convert makes every list of its version fail. All are read in each served " +
		"version, for at most a minute (--claim-timeout), and those that do not convert are named. Only metadata is " +
		"asked for.",
	after: append([]*Check{claimsCanBeWritten}, theWay...),
	reads: whoCalls,
	try: func(ctx context.Context, c *cluster, s *state, r *report) {
		// Who asks for it has this time for both kinds together.
		ctx, cancel := context.WithTimeout(ctx, s.ClaimTimeout)
		defer cancel()
		for _, crd := range s.established() {
			(&reading{
				state: s, report: r, ctx: ctx, cluster: c, crd: crd, bad: map[string]int{},
				unlisted: map[string]error{},
			}).all()
		}
	},
}
