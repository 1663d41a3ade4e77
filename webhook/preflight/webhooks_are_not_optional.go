package preflight

import "github.com/claimbridge/claimbridge/config"

var webhooksAreNotOptional = Check{
	Name:     "webhooks-are-not-optional",
	Reason:   "With failure policy Ignore a write is accepted unseen whenever the server cannot be asked.",
	Severity: Problem,
	Remedy:   "Set failurePolicy to Fail, as the manifests have it.",
	find: func(v *view) {
		for _, h := range v.hooks() {
			if h.optional {
				v.report(h.object, h.field+".failurePolicy is Ignore: writes are accepted unseen when claimbridge cannot be asked", v.apply(config.WebhooksPart))
			}
		}
	},
}
