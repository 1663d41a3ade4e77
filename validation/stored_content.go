package validation

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// storedContentRules apply the rules of the stored version to what a write in an older version would store.
var storedContentRules = []Rule{
	{
		Name:       "stored-content-is-valid",
		Reason:     "An object is also valid in the version in which it is stored.",
		Source:     "claimbridge",
		operations: onCreate | onStatus, // an update stores the old spec
		check:      checkStoredContent,
	},
}

// checkStoredContent validates the object as stored. If nothing was restored from preserved data, only its content is
// validated: rules that compare it with the old object were checked in the version of the write, and newer limits do
// not apply. Data that was restored from an annotation or a field was not validated in the version of the write, so it
// is validated like a write in the stored version.
func checkStoredContent(in *input) (errs field.ErrorList) {
	if in.isLossless() { // the object was validated as sent, except for the fields that the release drops
		return in.checkStoredRequestsHaveOneKind()
	}
	storedInput := in.inStoredVersion()
	path := statusPath
	if in.operation == Create { // on UpdateStatus the annotations are the stored ones
		path = in.preservingPath("spec")
	}
	reject := func(violated string, e *field.Error) {
		problem := e.Type.String()
		if e.Detail != "" {
			problem += ": " + e.Detail
		}
		detail := fmt.Sprintf("as stored in %s, it violates %s: %s: %s; correct it, or write the object through %s",
			storedInput.version, violated, e.Field, problem, storedInput.version)
		errs = add(errs, field.Invalid(path, field.OmitValueType{}, detail))
	}
	for _, e := range checkRules(rulesByRelease()[storedInput.release], storedInput, storedInput.upstreamOperations()) {
		reject("the rule "+e.Rule, e.Error)
	}
	if in.operation == Create && in.stored.report.RestoredSpec {
		for _, e := range storedInput.checkRestoredDerivedAttributes(in.stored.new.spec) {
			reject("the schema of the CRD", e)
		}
	}
	return errs
}

// inStoredVersion returns the same write in the stored version.
func (in *input) inStoredVersion() *input {
	report := in.stored.report
	isRestored := in.operation == Create && report.RestoredSpec || in.operation == UpdateStatus && report.RestoredStatus
	version := conversion.Stored()
	storedInput := &input{
		operation: in.operation, version: version, kind: in.kind, release: in.storedRelease,
		paths:       pathsOf(version, in.kind),
		mode:        mode{contentOnly: !isRestored, skipsAllocation: in.skipsAllocation()},
		expressions: in.expressions,
	}
	read := claimReaders[version]
	storedInput.new = object{
		claim:            read(in.stored.new.spec, in.stored.new.status, storedInput.release),
		templateMetadata: in.new.templateMetadata,
	}
	if in.operation == UpdateStatus {
		storedInput.old = object{claim: read(in.stored.old.spec, in.stored.old.status, storedInput.release)}
	}
	storedInput.dropFields()
	storedInput.readSubRequests()
	return storedInput
}

// preservingPath returns the path of claimbridge's first annotation in the new object, or the path of part if there is
// none.
func (in *input) preservingPath(part string) *field.Path {
	for _, key := range slices.Sorted(maps.Keys(in.new.preservingAnnotations())) {
		if strings.HasPrefix(key, ownDomain) {
			return in.paths.metadata.Child("annotations").Key(key)
		}
	}
	return field.NewPath(part)
}

// checkRestoredDerivedAttributes validates derived attributes of a restored spec as the schema of the stored version
// does. Their feature gate is off by default, so the rules of a release do not see them, but a custom resource stores
// them. All other requirements of the schema are rules as well.
func (in *input) checkRestoredDerivedAttributes(spec any) (errs field.ErrorList) {
	restored, _ := spec.(*v1.ResourceClaimSpec)
	if restored == nil {
		return nil
	}
	for i, request := range restored.Devices.Requests {
		path := in.requestPath(i)
		if request.Exactly != nil {
			errs = add(errs, validateSchemaOf(request.Exactly.DerivedAttributes, path.Child("exactly"))...)
		}
		for j, alternative := range request.FirstAvailable {
			errs = add(errs, validateSchemaOf(alternative.DerivedAttributes, path.Child("firstAvailable").Index(j))...)
		}
	}
	return errs
}

func validateSchemaOf(attributes []v1.DeviceDerivedAttribute, path *field.Path) (errs field.ErrorList) {
	path = path.Child("derivedAttributes")
	if n := len(attributes); n > v1.DeviceDerivedAttributesMaxSize {
		return field.ErrorList{field.TooMany(path, n, v1.DeviceDerivedAttributesMaxSize)}
	}
	for i, attribute := range attributes {
		if attribute.Name == "" {
			errs = append(errs, field.Required(path.Index(i).Child("name"), ""))
		}
		if attribute.Expression == "" {
			errs = append(errs, field.Required(path.Index(i).Child("expression"), ""))
		}
	}
	return errs
}

// checkStoredRequestsHaveOneKind rejects a request of v1beta1 that has firstAvailable together with a field that the
// release drops. A custom resource keeps the field. v1 has it in `exactly`, which must not be set together with
// `firstAvailable`.
func (in *input) checkStoredRequestsHaveOneKind() (errs field.ErrorList) {
	spec, _ := in.stored.new.spec.(*v1.ResourceClaimSpec)
	if in.operation != Create || !in.hasFlatRequests() || spec == nil {
		return nil
	}
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if !isAmbiguous(r) {
			continue
		}
		name := strings.Join(tableFieldsOf(r.Exactly), ", ")
		errs = add(errs, field.Forbidden(in.requestPath(i),
			fmt.Sprintf("has firstAvailable together with %s, which Kubernetes %s drops; %s has such fields in `exactly`, "+
				"which must not be set together with `firstAvailable`: remove %s",
				name, in.release, conversion.Stored(), name)))
	}
	return errs
}

// tableFieldsOf returns the names of the fields of a request that are set and have a row in api/fields.go.
func tableFieldsOf(e *v1.ExactDeviceRequest) (names []string) {
	value := reflect.ValueOf(e).Elem()
	for i, row := range rowsInExactly {
		if row != nil && !value.Field(i).IsZero() {
			names = append(names, strings.TrimPrefix(row.Path, "spec.devices.requests."))
		}
	}
	return names
}
