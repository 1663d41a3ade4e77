package validation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// object is one claim or template, before the write or after it.
type object struct {
	claim
	// completeSpec and completeAllocation are those of the claim before the release drops fields, which a custom
	// resource keeps.
	completeSpec       *v1.ResourceClaimSpec
	completeAllocation *v1.AllocationResult

	// text is the object as JSON, without what an API server drops.
	text []byte
	// parsed is the same object for conversion. It is nil if the text cannot be parsed strictly.
	parsed         *conversion.ParsedObject
	annotations    map[string]string // of a claim
	isBeingDeleted bool
	// templateMetadata is the metadata that claims get from a template.
	templateMetadata *metav1.ObjectMeta
}

// claim is a claim, or the claim in a template, in the types that checks read, with the defaults of the release.
// Versions with devices have the types of v1, as in API servers from 1.33 on, so that they share the rules.
type claim struct {
	// spec and status of a version with devices. The spec of a classic claim is nil, and its status has only the
	// reservations and the request for deallocation.
	spec   *v1.ResourceClaimSpec
	status v1.ResourceClaimStatus
	// controller of the spec and of the allocation, which only v1alpha3 has.
	controller, allocationController string

	// classic has the other fields of v1alpha1 and v1alpha2. It is nil for other versions.
	classic *classicClaim

	isAllocated bool
	// nodeSelector of the allocation.
	nodeSelector *corev1.NodeSelector
}

// classicClaim has the fields that only v1alpha1 and v1alpha2 have.
type classicClaim struct {
	spec       v1alpha2.ResourceClaimSpec
	driverName string
	// allocation is a pointer to the typed value; nil when absent.
	allocation  any
	isShareable bool
	handle      string                    // the only one of v1alpha1
	handles     []v1alpha2.ResourceHandle // of v1alpha2
}

// read reads the object from its text. If it was parsed, only its metadata is decoded. Otherwise, all of it is decoded
// as an API server does, which reports type errors and drops unknown fields.
func (o *object) read(text []byte, version, kind string, release Release) error {
	o.text = text
	if o.parsed == nil || !o.readMetadata(kind) {
		return o.decode(version, kind, release)
	}
	spec, status := o.parsed.SpecAndStatus()
	o.claim = claimReaders[version](spec, status, release)
	return nil
}

// readMetadata reports whether the metadata is strict JSON without unknown fields.
func (o *object) readMetadata(kind string) bool {
	own, template := o.parsed.Metadata()
	var meta metav1.ObjectMeta
	if !decodeStrictly(own, &meta) {
		return false
	}
	if kind == templateKind {
		o.templateMetadata = &metav1.ObjectMeta{}
		return decodeStrictly(template, o.templateMetadata)
	}
	o.annotations, o.isBeingDeleted = meta.Annotations, meta.DeletionTimestamp != nil
	return true
}

func decodeStrictly(text []byte, into *metav1.ObjectMeta) bool {
	if len(text) == 0 {
		return true
	}
	unknown, err := objectjson.Decode(text, into)
	return err == nil && len(unknown) == 0
}

// decode decodes an object that is not strict JSON. Unknown and duplicate fields are dropped, which the reader of the
// request reports. The text is encoded again without them, so that they do not count as content. Opaque parameters keep
// their bytes.
func (o *object) decode(version, kind string, release Release) error {
	typed := api.New(version, kind)
	unknown, err := objectjson.Decode(o.text, typed)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(typed); err != nil {
			return fmt.Errorf("writing the object without what an API server drops: %w", err)
		}
		o.text = bytes.TrimSpace(out.Bytes())
	}
	if o.parsed, err = conversion.Parse(o.text); err != nil {
		return err
	}
	o.readTyped(typed, version, kind, release)
	return nil
}

// readTyped reads an object of one of the API's types. The fields that it reads have the same names in all of them.
func (o *object) readTyped(typed runtime.Object, version, kind string, release Release) {
	value := reflect.ValueOf(typed).Elem()
	if kind == templateKind {
		spec := value.FieldByName("Spec")
		o.templateMetadata = spec.FieldByName("ObjectMeta").Addr().Interface().(*metav1.ObjectMeta)
		o.claim = claimReaders[version](spec.FieldByName("Spec").Addr().Interface(), nil, release)
		return
	}
	meta := value.FieldByName("ObjectMeta").Addr().Interface().(*metav1.ObjectMeta)
	o.annotations, o.isBeingDeleted = meta.Annotations, meta.DeletionTimestamp != nil
	o.claim = claimReaders[version](value.FieldByName("Spec").Addr().Interface(),
		value.FieldByName("Status").Addr().Interface(), release)
}

// preservingAnnotations returns the annotations of the metadata that preserves data.
func (o *object) preservingAnnotations() map[string]string {
	if o.templateMetadata != nil {
		return o.templateMetadata.Annotations
	}
	return o.annotations
}
