package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/conversion"
)

// storedContentIsValid asks the newest version's own rules. Whatever is valid as sent and honestly carried is valid as
// stored: what fails here was put into a leftover by hand.
var storedContentIsValid = Rule{
	Name:   "stored-content-is-valid",
	Reason: "What is stored keeps the rules of the version that it is stored in.",
	Source: "claimbridge",
	asked:  onCreate | onStatus, // an update stores the spec that is stored
	check: func(w *write, refuse refuse) {
		if !w.converted() {
			return // judged as sent
		}
		newest := versions[conversion.Newest()]
		judge := w.storedRelease
		inStorage := &write{
			op: w.op, contentOnly: true, keeps: w.keepsAllocation(), version: conversion.Newest(), release: judge, kind: w.kind, specPath: w.specPath, metadataPath: w.metadataPath,
			nodesPath: newest.nodes, selectors: w.selectors,
		}
		inStorage.new = object{parts: newest.partsOf(w.stored.new.spec, w.stored.new.status, judge), templateMetadata: w.new.templateMetadata}
		if w.op == UpdateStatus {
			inStorage.old = object{parts: newest.partsOf(w.stored.old.spec, w.stored.old.status, judge)}
		}
		inStorage.drop()
		for _, e := range ask(newest.rules(w.kind), inStorage) {
			at := statusPath
			if w.op == Create { // on a status write the annotations are the stored ones
				at = w.carrierPath("spec")
			}
			refuse(field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("stored in %s it would break the rule %s there: %s: %s: %s",
				inStorage.version, e.Rule, e.Field, e.Type, e.Detail)))
		}
	},
}
