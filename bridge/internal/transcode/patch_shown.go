package transcode

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjsonstrict "sigs.k8s.io/json"
)

// maxOperations of a JSON patch, as many as kube-apiserver takes.
const maxOperations = 10_000

// Forty copies of an object into itself would be 2^40 objects. The library has one bound for the
// whole program, which kube-apiserver sets as well.
var _ = atomic.CompareAndSwapInt64(&jsonpatch.AccumulatedCopySizeLimit, 0, maxBody)

// patched is an object with a patch applied, checked as API servers check it: against the types, as
// strictly as the caller asks. excused are problems that the object had before, as a field that
// came after these types is one.
func (c *call) patched(form types.PatchType, shown, patch []byte) (_ *sent, excused bool, err error) {
	fieldValidation := c.fieldValidation()
	p := applied{typed: c.typed()}
	if err := p.apply(form, shown, patch, fieldValidation); err != nil {
		return nil, false, err
	}
	if form != types.StrategicMergePatchType {
		if err := p.check(c.gvk()); err != nil {
			return nil, false, unpatched(p.said, err)
		}
	}
	before := c.problemsOf(shown)
	problems := slices.DeleteFunc(p.problems, func(problem error) bool {
		return slices.Contains(before, problem.Error())
	})
	switch {
	case len(problems) == 0 || fieldValidation == metav1.FieldValidationIgnore:
	case fieldValidation == metav1.FieldValidationStrict:
		return nil, false, unpatched(p.said, runtime.NewStrictDecodingError(problems))
	default:
		c.warnOf(problems)
	}
	if saysTwice(problems) {
		p.object, err = c.written(p.typed)
	}
	return &sent{json: p.object, typed: p.typed, problems: problems}, len(before) > 0, err
}

// problemsOf an object that a strict reader has.
func (c *call) problemsOf(object []byte) (all []string) {
	gvk := c.gvk()
	_, _, err := strictJSON.Decode(object, &gvk, c.typed())
	if problems, strict := runtime.AsStrictDecodingError(err); strict {
		for _, problem := range problems.Errors() {
			all = append(all, problem.Error())
		}
	}
	return all
}

// applied is a patch applied to an object.
type applied struct {
	object []byte
	typed  runtime.Object
	said   string // what errors call it, quoted
	// problems that a strict reader has with the patch and with the object.
	problems []error
}

// apply a patch. The libraries for it panic on some that no client makes, such as a replacement of
// all by null; so does kube-apiserver, which answers 500 then.
func (p *applied) apply(form types.PatchType, shown, patch []byte, fieldValidation string) (err error) {
	defer func() {
		if recover() != nil {
			err = unprocessable(errors.New("the patch cannot be applied"))
		}
	}()
	switch form {
	case types.JSONPatchType:
		return p.jsonPatch(shown, patch, fieldValidation)
	case types.MergePatchType:
		return p.mergePatch(shown, patch)
	default:
		return p.strategic(shown, patch)
	}
}

// check the object against its type.
func (p *applied) check(gvk schema.GroupVersionKind) error {
	typed, got, err := strictJSON.Decode(p.object, &gvk, p.typed)
	found, strict := runtime.AsStrictDecodingError(err)
	switch {
	case err != nil && (!strict || typed == nil):
		return err
	case *got != gvk:
		return fmt.Errorf("unable to decode %v into %v", *got, gvk)
	case strict:
		p.problems = append(p.problems, found.Errors()...)
	}
	p.typed = typed
	return nil
}

// unpatched is the error for a patch that makes something else of the object.
func unpatched(said string, err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), said, quoteOf(err.Error())),
	})
}

// maxQuoted of an object in an error, in bytes. API servers quote all of it, in the message and in
// its cause, each time with quotes and backslashes escaped twice: 25 MB for a patch of 60 bytes
// into an object of 8 MB. Claims are some KiB with their managedFields, and stay whole; of the rest
// an answer has at most twice 16 KiB of the object and as much of what is wrong, a character of
// which is six as JSON: 384 KiB.
const maxQuoted = 16 << 10

// quoteOf a text for an error: all of it, or its beginning and where it was cut.
func quoteOf[T string | []byte](text T) string {
	if len(text) <= maxQuoted {
		return string(text)
	}
	return fmt.Sprintf("%s ... (cut here: %d of %d bytes)", strings.ToValidUTF8(string(text[:maxQuoted]), ""),
		maxQuoted, len(text))
}

// isPatch tells whether a body is a patch of a form, if it is read as the caller asks.
func isPatch(form types.PatchType, body []byte, fieldValidation string) bool {
	if form != types.JSONPatchType {
		var object map[string]any
		return kjsonstrict.UnmarshalCaseSensitivePreserveInts(body, &object) == nil
	}
	_, err := jsonpatch.DecodePatch(body)
	if err == nil && fieldValidation != metav1.FieldValidationIgnore {
		_, err = operationProblems(body)
	}
	return err == nil
}

// operationProblems that a strict reader has with a JSON patch.
func operationProblems(patch []byte) ([]error, error) {
	var operations []struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		From  string `json:"from"`
		Value any    `json:"value"`
	}
	problems, err := kjsonstrict.UnmarshalStrict(patch, &operations)
	for i, problem := range problems {
		problems[i] = fmt.Errorf("json patch %w", problem)
	}
	return problems, err
}

func (p *applied) jsonPatch(shown, patch []byte, fieldValidation string) error {
	operations, err := jsonpatch.DecodePatch(patch)
	switch {
	case err != nil:
		return apierrors.NewBadRequest(err.Error())
	case len(operations) > maxOperations:
		return apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, len(operations)))
	}
	if fieldValidation != metav1.FieldValidationIgnore {
		if p.problems, err = operationProblems(patch); err != nil {
			return apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
		}
	}
	if p.object, err = operations.Apply(shown); err != nil {
		return unprocessable(err)
	}
	p.said = quoteOf(p.object)
	return nil
}

func (p *applied) mergePatch(shown, patch []byte) (err error) {
	if p.problems, err = kjsonstrict.UnmarshalStrict(patch, &map[string]any{}); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if p.object, err = jsonpatch.MergePatch(shown, patch); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	p.said = quoteOf(p.object)
	return nil
}

// strategic merges values, and checks the outcome while it makes a typed object of it.
func (p *applied) strategic(shown, patch []byte) (err error) {
	original, change := map[string]any{}, map[string]any{}
	if err := kjsonstrict.UnmarshalCaseSensitivePreserveInts(shown, &original); err != nil {
		return err
	}
	if p.problems, err = kjsonstrict.UnmarshalStrict(patch, &change); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	p.said = quoteOf(fmt.Sprintf("%+v", change))
	patched, err := strategicpatch.StrategicMergeMapPatch(original, change, p.typed)
	if err != nil {
		return strategicError(err)
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(patched, p.typed, true)
	found, strict := runtime.AsStrictDecodingError(err)
	switch {
	case strict:
		p.problems = append(p.problems, found.Errors()...)
	case err != nil:
		return unpatched(p.said, err)
	}
	if p.object, err = json.Marshal(patched); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// strategicError as API servers have it: what is no such patch is 400, what cannot be applied 422.
func strategicError(err error) error {
	bad := []error{
		mergepatch.ErrBadJSONDoc,
		mergepatch.ErrBadPatchFormatForPrimitiveList,
		mergepatch.ErrBadPatchFormatForRetainKeys,
		mergepatch.ErrBadPatchFormatForSetElementOrderList, mergepatch.ErrUnsupportedStrategicMergePatchFormat,
	}
	switch {
	case slices.ContainsFunc(bad, func(known error) bool { return errors.Is(err, known) }):
		return apierrors.NewBadRequest(err.Error())
	case errors.Is(err, mergepatch.ErrNoListOfLists), errors.Is(err, mergepatch.ErrPatchContentNotMatchRetainKeys):
		return unprocessable(err)
	}
	return err
}

func unprocessable(err error) error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "",
		err.Error(), 0, false)
}
