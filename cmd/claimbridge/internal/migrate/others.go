package migrate

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// other is what an object of another kind is to become. Its text is in YAML or JSON, and without an
// object it is the document that is looked at. When it is not ok, the reason was printed.
func (p *part) other(
	at yamldoc.Position, apiVersion, kind string, text, object []byte,
) (wanted []byte, changed, ok bool) {
	rule, why, remarkable := p.remarkOn(apiVersion, kind)
	isClass := p.isClass(apiVersion, kind)
	isKustomization := strings.HasPrefix(apiVersion, yamldoc.KustomizeGroup+"/") // or a component
	speaks := speaksOfClaims(text) || isKustomization
	if !remarkable && !isClass && !speaks { // as most
		p.others++
		return nil, false, true
	}
	o := &other{part: p, at: at, apiVersion: apiVersion, kind: kind, object: object}
	isUntyped := apiVersion == "" && kind == ""
	o.hasReplacements = p.inPlace != nil && isUntyped && p.patches.FolderOfReplacements(at.File) != ""
	if err := o.read(); err != nil {
		p.others++
		return nil, false, true // it passes through all the same
	}
	if remarkable && rule.About().Severity == finding.Error {
		p.log.Refuse(at, o.header, []problems.What{{Rule: rule, Text: why}})
		return nil, false, false
	}
	p.others++
	left := o.fix()
	allows := o.namespace()
	if remarkable && !o.needsVersion() {
		o.advise(problems.What{Rule: rule, Text: why})
	}
	if isClass {
		p.file(at, o.header, o.object)
	}
	if p.inPlace != nil && isKustomization {
		p.compared.add(kustomizations, one{at: at})
	}
	o.adviseOnPods(left)
	isChanged := len(o.changes) > 0
	if speaks {
		o.survey()
	}
	if len(o.failures) > 0 {
		p.log.Refuse(at, o.header, o.failures)
		return nil, false, false
	}
	hadToBeRight := allows || o.isFixed() || o.isKustomizeFile() && o.hasVersions
	if isChanged || o.isEdited {
		p.fixed++
	} else if hadToBeRight {
		p.right++ // so that those that are counted are the same before and after
	}
	return changedText(o.object, inOrder(o.changes)), len(o.changes) > 0, true
}

// advise tells what is remarkable about the object, of a class with the field in question.
func (o *other) advise(what problems.What) {
	if o.kind == newClass && o.isShaped(o.to) {
		what.Field = o.fieldOfClass()
	}
	o.log.Advise(o.at, o.header, what)
}

// remarkOn says what is to be said of an object of a kind that is not converted, by its apiVersion and kind alone.
func (p *part) remarkOn(apiVersion, kind string) (rule finding.Rule, why string, remarkable bool) {
	rule, why, remarkable = problems.PassedOver(p.Groups, apiVersion, kind)
	if !remarkable {
		return p.leftBehind(apiVersion, kind)
	}
	if rule.About().Severity == finding.Warning {
		why = "is not converted: " + why
	}
	return rule, why, true
}

// read the object, and how it is named to people.
func (o *other) read() (err error) {
	if o.object == nil {
		if o.parsed.Node != nil {
			o.object, _, err = o.objectOf(o.parsed, false)
		} else {
			o.object, err = o.parsed.Object(false)
		}
		if err != nil {
			return err
		}
	}
	if o.hasReplacements { // may be a list
		o.header, o.root = conversion.Header{Kind: "replacements", Name: "of " + o.at.File}, treeOf(o.object)
		return nil
	}
	if o.header, err = conversion.ReadHeader(o.object); err != nil {
		return err
	}
	h := &o.header
	if o.apiVersion == "" && o.kind == "" {
		h.Kind, h.Name = "object", "without a type"
	} else if h.Kind == "" || h.Version == "" { // kustomize fills it in
		typed := problems.HeaderOf(&yamldoc.Document{APIVersion: o.apiVersion, Kind: o.kind})
		h.Group, h.Version, h.Kind = typed.Group, typed.Version, typed.Kind
	}
	o.root = treeOf(o.object)
	return nil
}

// speaksOfClaims reports whether a text may be about claims, by words that patches and selectors of theirs have.
func speaksOfClaims(text []byte) bool {
	words := []string{
		api.Group, api.KindClaim, "devices/requests", "devices.requests", "/resourceClassName", podClaims,
		"admin-access",
	}
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// fix what can be changed without knowing more than the object says: where pods name their claims,
// and the version of classes and slices of the same shape. What is left of the former is for a
// person.
func (o *other) fix() (left []podClaim) {
	flat, written := api.HasDevices(o.to), "is written below source, where Kubernetes 1.30 and earlier have it"
	if flat {
		written = "its fields are moved next to the name, as in Kubernetes 1.31 and later"
	}
	for _, found := range o.wrongPodClaims(cmp.Or(o.apiVersion, values), flat) {
		if found.fixed {
			o.change(found.entry, found.moved, problems.At(finding.PodClaims, found.path, written))
		} else {
			left = append(left, found)
		}
	}
	types := slices.DeleteFunc(slices.Clone(o.root.children), func(t *tree) bool { return t.name != "apiVersion" })
	if len(types) == 1 && o.needsVersion() { // of two nobody knows which one counts
		_, version, _ := strings.Cut(o.apiVersion, "/")
		o.convertedFrom(version)
		o.change(types[0], objectjson.Quote(api.Group+"/"+o.to), o.versionFixed(kinds[o.kind].rule, version))
	}
	return left
}

// isFixed reports whether an object is what fixes make of one.
func (o *other) isFixed() bool {
	return o.apiVersion == api.Group+"/"+o.to && o.isShaped(o.to) ||
		slices.ContainsFunc(o.wrongPodClaims(o.apiVersion, !api.HasDevices(o.to)), func(found podClaim) bool {
			return found.fixed
		})
}
