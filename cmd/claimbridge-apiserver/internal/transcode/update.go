package transcode

import (
	"fmt"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/validation"
)

// update puts what the object changes into the stored one, and sends that as an update.
func (c *call) update() error {
	body, err := c.body()
	if err != nil {
		return err
	}
	options := metav1.UpdateOptions{}
	if err := c.options("UpdateOptions", &options, func() field.ErrorList { return metavalidation.ValidateUpdateOptions(&options) }); err != nil {
		return err
	}
	reader, err := c.reader()
	if err != nil {
		return err
	}
	sent, err := c.decode(reader, body)
	if err != nil {
		return err
	}
	meta := metadataOf(sent.json)
	if err := c.named(meta); err != nil {
		return err
	}
	try := func(live, shown []byte) (change, error) {
		if err := c.strictly(options.FieldValidation, c.unexcused(sent.problems, shown)); err != nil {
			return change{}, err
		}
		object, stored := sent.json, metadataOf(live).resourceVersion
		whatever := anyVersion(meta.resourceVersion)
		if whatever && meta.resourceVersion != "" {
			if object, err = ofVersion(object, stored); err != nil {
				return change{}, err
			}
		}
		next, err := c.put(live, object)
		switch {
		case err != nil && !whatever && meta.resourceVersion != stored:
			return change{}, c.conflict()
		case err != nil:
			return change{}, c.unsaid(object, err)
		}
		return change{
			request: c.request(http.MethodPut, next, runtime.ContentTypeJSON),
			final:   !whatever,
			other:   !whatever && meta.resourceVersion != stored,
			refusal: c.judged(validation.Request{Operation: c.operation(), Object: object, OldObject: shown}),
		}, nil
	}
	return c.rewrite(try, func() error {
		if err := c.strictly(options.FieldValidation, sent.problems); err != nil {
			return err
		}
		return apierrors.NewNotFound(c.GroupResource(), c.name)
	})
}

// named as the path says: the object of an update, and what a patch makes of one.
func (c *call) named(m metadata) error {
	switch {
	case m.namespace != "" && m.namespace != c.info.Namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	case m.name == "":
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", c.name))
	case m.name != c.name:
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", m.name, c.name))
	}
	return nil
}

// unexcused problems: a field of a v1 newer than our types is shown, and whoever sends it back did nothing wrong.
func (c *call) unexcused(problems []error, shown []byte) []error {
	if len(problems) == 0 {
		return nil
	}
	var excused []string
	for _, problem := range c.problemsOf(shown) {
		excused = append(excused, problem.Error())
	}
	return slices.DeleteFunc(slices.Clone(problems), func(problem error) bool { return slices.Contains(excused, problem.Error()) })
}

// problemsOf an object that a strict reader has.
func (c *call) problemsOf(object []byte) []error {
	gvk := c.GroupVersionKind()
	_, _, err := jsonReader.StrictSerializer.Decode(object, &gvk, c.New())
	if problems, strict := runtime.AsStrictDecodingError(err); strict {
		return problems.Errors()
	}
	return nil
}

// jsonReader of our types.
var jsonReader, _ = runtime.SerializerInfoForMediaType(bodies.SupportedMediaTypes(), runtime.ContentTypeJSON)
