package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion"
)

// storedContentIsValid asks the stored version's own rules. Whatever is valid as sent and honestly carried is valid as
// stored: what fails here was put into a leftover by hand.
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
		partsOf := versions[conversion.Stored()]
		judge := w.storedRelease
		inStorage := &write{
			op: w.op, contentOnly: true, keeps: w.keepsAllocation(), version: conversion.Stored(), release: judge, kind: w.kind, specPath: w.specPath, metadataPath: w.metadataPath,
			nodesPath: nodeSelectorPath, selectors: w.selectors,
		}
		inStorage.new = object{parts: partsOf(w.stored.new.spec, w.stored.new.status, judge), templateMetadata: w.new.templateMetadata}
		if w.op == UpdateStatus {
			inStorage.old = object{parts: partsOf(w.stored.old.spec, w.stored.old.status, judge)}
		}
		inStorage.drop()
		for _, e := range ask(rulesByRelease()[judge], inStorage, inStorage.judgedOn(), false) {
			at := statusPath
			if w.op == Create { // on a status write the annotations are the stored ones
				at = w.carrierPath("spec")
			}
			refuse(field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("stored in %s it would break the rule %s there: %s: %s: %s",
				inStorage.version, e.Rule, e.Field, e.Type, e.Detail)))
		}
	},
}

// refuseTwoKinds of a request in one. What a release drops beside the name of a request of v1beta1 a custom resource keeps, and in v1 it
// stands in an exactly, which nothing may stand beside.
func (w *write) refuseTwoKinds(refuse refuser) {
	spec, _ := w.stored.new.spec.(*v1.ResourceClaimSpec)
	if w.op != Create || !w.flat || spec == nil {
		return
	}
	for i := range spec.Devices.Requests {
		if r := &spec.Devices.Requests[i]; r.Exactly != nil && len(r.FirstAvailable) > 0 {
			refuse(field.Forbidden(w.devicesPlace("requests").path().Index(i), fmt.Sprintf("has alternatives, and beside them a field that Kubernetes %s does not have, "+
				"or not by default: stored in %s it would ask for something exactly as well", w.release, conversion.Stored())))
		}
	}
}
