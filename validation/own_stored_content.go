package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion"
)

// storedContentIsValid applies the rules of the stored version to what a write in an older version would store.
//
// Where the older version itself says what is stored, only the content is validated: rules that
// compare it with the old object have been applied in the version of the write, and limits that are
// younger than that version do not hold. What is restored from an annotation or from the field was
// never valid in the version of the write. It is validated as the same write in the stored version.
var storedContentIsValid = Rule{
	Name:   "stored-content-is-valid",
	Reason: "What is stored keeps the rules of the version that it is stored in.",
	Source: "claimbridge",
	asked:  onCreate | onStatus, // an update stores the spec that is stored
	check: func(w *write, refuse refuser) {
		if w.native { // judged as sent, but for what is dropped of it
			w.refuseTwoKinds(refuse)
			return
		}
		inStorage := w.inStorage()
		at := statusPath
		if w.op == Create { // on a status write the annotations are the stored ones
			at = w.carrierPath("spec")
		}
		reject := func(rule string, e *field.Error) {
			detail := fmt.Sprintf("stored in %s it would break the rule %s there: %s: %s: %s",
				inStorage.version, rule, e.Field, e.Type, e.Detail)
			refuse(field.Invalid(at, field.OmitValueType{}, detail))
		}
		for _, e := range ask(rulesByRelease()[inStorage.release], inStorage, inStorage.judgedOn(), false) {
			reject(e.Rule, e.Error)
		}
		if w.op == Create && w.stored.report.RestoredSpec {
			inStorage.checkDerivedAttributes(w.stored.new.spec, func(e *field.Error) { reject("schema", e) })
		}
	},
}

// inStorage is the same write in the stored version.
func (w *write) inStorage() *write {
	report := w.stored.report
	restored := w.op == Create && report.RestoredSpec || w.op == UpdateStatus && report.RestoredStatus
	inStorage := &write{
		op: w.op, contentOnly: !restored, keeps: w.keepsAllocation(),
		version: conversion.Stored(), release: w.storedRelease, kind: w.kind,
		specPath: w.specPath, metadataPath: w.metadataPath, nodesPath: nodeSelectorPath, selectors: w.selectors,
	}
	partsOf := versions[inStorage.version]
	inStorage.new = object{
		parts:            partsOf(w.stored.new.spec, w.stored.new.status, inStorage.release),
		templateMetadata: w.new.templateMetadata,
	}
	if w.op == UpdateStatus {
		inStorage.old = object{parts: partsOf(w.stored.old.spec, w.stored.old.status, inStorage.release)}
	}
	inStorage.drop()
	return inStorage
}

// checkDerivedAttributes of a restored spec as the schema of the stored version does. No release
// serves them by default, so its rules do not see them, but a custom resource stores them. All
// other requirements of the schema are rules as well.
func (w *write) checkDerivedAttributes(spec any, refuse refuser) {
	restored, _ := spec.(*v1.ResourceClaimSpec)
	if restored == nil {
		return
	}
	check := func(attributes []v1.DeviceDerivedAttribute, at *field.Path) {
		at = at.Child("derivedAttributes")
		if n := len(attributes); n > v1.DeviceDerivedAttributesMaxSize {
			refuse(field.TooMany(at, n, v1.DeviceDerivedAttributesMaxSize))
			return
		}
		for i, attribute := range attributes {
			if attribute.Name == "" {
				refuse(field.Required(at.Index(i).Child("name"), ""))
			}
			if attribute.Expression == "" {
				refuse(field.Required(at.Index(i).Child("expression"), ""))
			}
		}
	}
	for i, request := range restored.Devices.Requests {
		at := w.devicesPlace("requests").path().Index(i)
		if request.Exactly != nil {
			check(request.Exactly.DerivedAttributes, at.Child("exactly"))
		}
		for j, alternative := range request.FirstAvailable {
			check(alternative.DerivedAttributes, at.Child("firstAvailable").Index(j))
		}
	}
}

// refuseTwoKinds of a request in one. What a release drops beside the name of a request of v1beta1
// a custom resource keeps, and in v1 it stands in an exactly, which nothing may stand beside.
func (w *write) refuseTwoKinds(refuse refuser) {
	spec, _ := w.stored.new.spec.(*v1.ResourceClaimSpec)
	if w.op != Create || !w.flat || spec == nil {
		return
	}
	for i := range spec.Devices.Requests {
		if r := &spec.Devices.Requests[i]; r.Exactly != nil && len(r.FirstAvailable) > 0 {
			refuse(field.Forbidden(w.devicesPlace("requests").path().Index(i),
				fmt.Sprintf("has alternatives, and beside them a field that Kubernetes %s does not have, "+
					"or not by default: stored in %s it would ask for something exactly as well",
					w.release, conversion.Stored())))
		}
	}
}
