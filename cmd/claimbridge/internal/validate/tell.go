package validate

import (
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/validation"
)

// tell reports of a verdict, which itself is written elsewhere.
func (v *validator) tell(at manifest.Position, h conversion.Header, verdict validation.Verdict) {
	v.log.Warnings += len(verdict.Warnings)
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
	for _, text := range verdict.Warnings {
		v.log.Tell(finding.Warning, at, h, ofWarning(h, text))
	}
}

// ofWarning is what a warning of a verdict is about: a field that is not known, one that the release drops, or something that is no
// field.
func ofWarning(h conversion.Header, text string) problems.What {
	path, why, _ := strings.Cut(text, ": ")
	if rule, what, _ := problems.WrongField(h, path); what == why {
		return problems.At(rule, path, why)
	}
	if strings.HasSuffix(text, unreadParameters) {
		return problems.At(finding.UnreadParameters, path, why)
	}
	if strings.HasPrefix(why, "Kubernetes ") {
		return problems.At(finding.DroppedFields, path, why)
	}
	return problems.What{Rule: finding.CannotBeConverted, Text: text}
}

const unreadParameters = ": parametersRef is kept in an entry of claimbridge.dev that no driver reads; write what the parameters ask for into spec.devices"

// unreadEntries warns of a claim that asks by an entry of ours: it is allowed, and no driver hears of it.
func unreadEntries(raw []byte, h conversion.Header) []string {
	if !api.HasDevices(h.Version) || !conversion.FindUnread(kjson.Canonical(raw)).Parameters {
		return nil
	}
	field := "spec.devices.config"
	if h.Kind == api.KindTemplate {
		field = "spec." + field
	}
	return []string{field + unreadParameters}
}
