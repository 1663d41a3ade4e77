package validate

import (
	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/validation"
)

// tell reports of a verdict, which itself is written elsewhere.
func (v *validator) tell(at manifest.Position, h conversion.Header, verdict validation.Verdict, warnings []problems.What) {
	v.log.Warnings += len(warnings)
	if v.log.Report == nil {
		return
	}
	for _, e := range verdict.Errors {
		text := e.Field + ": " + message(e)
		if e.Rule != "" {
			text += " (" + e.Rule + ")"
		}
		v.log.Tell(finding.Error, at, h, problems.Refused(e, text))
	}
	for _, w := range warnings {
		v.log.Tell(finding.Warning, at, h, w)
	}
}

// unreadEntries warns of a claim that asks by an entry of ours: it is allowed, and no driver hears of it.
func unreadEntries(raw []byte, h conversion.Header) []problems.What {
	if !api.HasDevices(h.Version) || !conversion.FindUnread(kjson.Canonical(raw)).Parameters {
		return nil
	}
	field := "spec.devices.config"
	if h.Kind == api.KindTemplate {
		field = "spec." + field
	}
	return []problems.What{problems.At(finding.UnreadParameters, field,
		"parametersRef is kept in an entry of claimbridge.dev that no driver reads; write what the parameters ask for into spec.devices")}
}
