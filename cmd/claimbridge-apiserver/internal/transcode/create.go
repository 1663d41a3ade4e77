package transcode

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/validation"
)

// create sends the object as v1.
func (c *call) create() error {
	reader, err := c.reader()
	if err != nil {
		return err
	}
	body, err := c.body()
	if err != nil {
		return err
	}
	options := metav1.CreateOptions{}
	if err := c.options("CreateOptions", &options, func() field.ErrorList { return metavalidation.ValidateCreateOptions(&options) }); err != nil {
		return err
	}
	sent, err := c.decode(reader, body)
	if err != nil {
		return err
	}
	if err := c.strictly(options.FieldValidation, sent.problems); err != nil {
		return err
	}
	object := sent.json
	if c.Status { // nobody creates an object with a status, so what it says is of no account
		if object, err = without(object, "status"); err != nil {
			return err
		}
	}
	up, err := c.lens.Up(nil, object)
	if err != nil {
		return c.unsaid(object, err)
	}
	r := c.request(http.MethodPost, up, runtime.ContentTypeJSON)
	if refusal := c.judged(validation.Request{Operation: validation.Create, Object: object}); refusal != nil {
		return c.refuse(refusal, r, true)
	}
	return c.forward(r)
}
