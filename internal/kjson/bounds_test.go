package kjson

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// TestBoundsKnowTheFieldsOfTypes holds the names that are walked by against the decoder's.
func TestBoundsKnowTheFieldsOfTypes(t *testing.T) {
	fields := jsonFields(reflect.TypeFor[v1alpha3.ResourceClaim]())
	if fields["metadata"] != reflect.TypeFor[metav1.ObjectMeta]() || fields["kind"] == nil || fields["status"] == nil {
		t.Errorf("a claim has %v", fields)
	}
	if jsonFields(reflect.TypeFor[v1alpha2.DriverAllocationResult]())["namedResources"] == nil {
		t.Error("members of an embedded struct are not seen")
	}
}
