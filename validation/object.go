package validation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// read the object from its text. Once opened, what is left to read is its metadata; else all of it is decoded as an API
// server does, which says what is wrong with it, or drops what it does not know.
func (o *object) read(text []byte, version, kind string, judge release) error {
	o.text = text
	if o.opened == nil || !o.readMetadata(kind) {
		return o.decode(version, kind, judge)
	}
	spec, status := o.opened.Parts()
	o.parts = versions[version](spec, status, judge)
	return nil
}

// readMetadata reports whether it is clean.
func (o *object) readMetadata(kind string) bool {
	own, template := o.opened.Metadata()
	var meta metav1.ObjectMeta
	if !clean(own, &meta) {
		return false
	}
	if kind == templateKind {
		o.templateMetadata = &metav1.ObjectMeta{}
		return clean(template, o.templateMetadata)
	}
	o.annotations, o.deleting = meta.Annotations, meta.DeletionTimestamp != nil
	return true
}

func clean(text []byte, into *metav1.ObjectMeta) bool {
	if len(text) == 0 {
		return true
	}
	unknown, err := conversion.Decode(text, into)
	return err == nil && len(unknown) == 0
}

// decode an object that is not clean. Unknown and duplicate fields are dropped: to report them is
// the business of whoever read the object. What is left of them in the text must not count as
// content either, so such an object is rewritten; opaque parameters keep their bytes.
func (o *object) decode(version, kind string, judge release) error {
	typed := api.New(version, kind)
	unknown, err := conversion.Decode(o.text, typed)
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
	if o.opened, err = conversion.Open(o.text); err != nil {
		return err
	}
	o.takeApart(typed, version, kind, judge)
	return nil
}

// takeApart an object of one of the API's types, all of which have the same fields here.
func (o *object) takeApart(typed runtime.Object, version, kind string, judge release) {
	value := reflect.ValueOf(typed).Elem()
	if kind == templateKind {
		spec := value.FieldByName("Spec")
		o.templateMetadata = spec.FieldByName("ObjectMeta").Addr().Interface().(*metav1.ObjectMeta)
		o.parts = versions[version](spec.FieldByName("Spec").Addr().Interface(), nil, judge)
		return
	}
	meta := value.FieldByName("ObjectMeta").Addr().Interface().(*metav1.ObjectMeta)
	o.annotations, o.deleting = meta.Annotations, meta.DeletionTimestamp != nil
	o.parts = versions[version](value.FieldByName("Spec").Addr().Interface(),
		value.FieldByName("Status").Addr().Interface(), judge)
}

// carrier has the annotations of the metadata that leftovers travel in.
func (o *object) carrier() map[string]string {
	if o.templateMetadata != nil {
		return o.templateMetadata.Annotations
	}
	return o.annotations
}
