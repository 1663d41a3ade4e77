// Package ask asks claimbridge to validate what Kubernetes' own unit tests validate. The functions of Kubernetes that
// those tests call are replaced by functions that call this package.
package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/test/upstream/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

// Environment variables that test/oracle sets.
const (
	// serverURL is that of an HTTP server that asks claimbridge.
	serverURL = "CLAIMBRIDGE_URL"
	// servedVersions are the versions that the release serves, separated by commas.
	servedVersions = "CLAIMBRIDGE_VERSIONS"
)

// mark starts a line of output with a write that was validated, so that test/oracle knows what a test asks.
const mark = "claimbridge validates "

// result of claimbridge.
type result struct {
	Errors []struct {
		Type   field.ErrorType `json:"type"`
		Field  string          `json:"field"`
		Detail string          `json:"detail"`
	} `json:"errors"`
	// Undecodable says why an object can't be read.
	Undecodable string `json:"undecodable"`
}

// Create validates a new object.
func Create(object runtime.Object) field.ErrorList { return validate("create", object, nil) }

// Update validates an update of an object.
func Update(object, old runtime.Object) field.ErrorList { return validate("update", object, old) }

// UpdateStatus validates an update of the status subresource.
func UpdateStatus(object, old runtime.Object) field.ErrorList { return validate("status", object, old) }

// served versions of the release, oldest first.
func served() []string { return strings.Split(os.Getenv(servedVersions), ",") }

func newestVersion() string {
	versions := served()
	return versions[len(versions)-1]
}

// validate a write in each version that the release serves. The results must be equal.
func validate(operation string, object, old runtime.Object) (errs field.ErrorList) {
	versions := served()
	for i, version := range versions {
		inVersion, err := validateIn(version, operation, object, old)
		if causes := assert.Causes(inVersion); err == nil && i > 0 && !slices.Equal(causes, assert.Causes(errs)) {
			err = fmt.Errorf("errors are %q, and %q in %s", causes, assert.Causes(errs), versions[0])
		}
		if err != nil {
			return field.ErrorList{field.InternalError(field.NewPath(version), err)}
		}
		errs = inVersion
	}
	return errs
}

// validateIn validates a write in one version.
func validateIn(version, operation string, object, old runtime.Object) (field.ErrorList, error) {
	encoded, err := encode(object, version)
	if err != nil {
		return nil, err
	}
	write := fmt.Sprintf(`{"operation":%q,"object":%s`, operation, encoded)
	if old != nil {
		if encoded, err = encode(inNamespaceOf(object, old), version); err != nil {
			return nil, err
		}
		write += `,"oldObject":` + string(encoded)
	}
	write += "}"
	fmt.Printf("\n%s%s\n", mark, write)
	var r result
	if err := post("/validate", []byte(write), &r); err != nil {
		return nil, err
	}
	if r.Undecodable != "" {
		return nil, errors.New(r.Undecodable)
	}
	var errs field.ErrorList
	for _, e := range r.Errors {
		errs = append(errs, &field.Error{Type: e.Type, Field: e.Field, Detail: e.Detail})
	}
	return errs, nil
}

// post a question to claimbridge.
func post(path string, question []byte, answer any) error {
	response, err := http.Post(os.Getenv(serverURL)+path, "application/json", bytes.NewReader(question))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, err := io.ReadAll(response.Body)
		return errors.Join(fmt.Errorf("%s: %s: %s", path, response.Status, text), err)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// inNamespaceOf returns a copy of the old object in the namespace of the new one. Some tests of strategies change the
// namespace of an object that other tests use, and API servers get both objects of an update in one namespace.
func inNamespaceOf(object, old runtime.Object) runtime.Object {
	copied := old.DeepCopyObject()
	copied.(metav1.Object).SetNamespace(object.(metav1.Object).GetNamespace())
	return copied
}

// encode an object in a version of the API group.
func encode(object runtime.Object, version string) ([]byte, error) {
	object = object.DeepCopyObject()
	extensions := rawExtensions(reflect.ValueOf(object))
	// An encoder removes white space, whose bytes count for some limits.
	bytesAsSent := map[string][]byte{}
	for i, extension := range extensions {
		if len(extension.Raw) == 0 {
			continue
		}
		if !json.Valid(extension.Raw) {
			return nil, fmt.Errorf("%q is not JSON", extension.Raw)
		}
		placeholder := fmt.Sprintf(`"placeholder-%d"`, i)
		bytesAsSent[placeholder] = extension.Raw
		extension.Raw = []byte(placeholder)
	}
	codec := legacyscheme.Codecs.LegacyCodec(schema.GroupVersion{Group: resource.GroupName, Version: version})
	encoded, err := runtime.Encode(codec, object)
	for placeholder, raw := range bytesAsSent {
		encoded = bytes.Replace(encoded, []byte(placeholder), raw, 1)
	}
	return bytes.TrimSpace(encoded), err
}

// rawExtensions returns all raw extensions in a value.
func rawExtensions(value reflect.Value) (all []*runtime.RawExtension) {
	switch value.Kind() {
	case reflect.Pointer:
		if extension, ok := value.Interface().(*runtime.RawExtension); ok && extension != nil {
			return []*runtime.RawExtension{extension}
		}
		return rawExtensions(value.Elem())
	case reflect.Slice:
		for i := range value.Len() {
			all = append(all, rawExtensions(value.Index(i).Addr())...)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				all = append(all, rawExtensions(value.Field(i).Addr())...)
			}
		}
	}
	return all
}
