package transcode

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What is shared has the same fields in upstream's types of both versions; else a patch would say
// something else of the cluster's object. And what has the same fields is shared; else a patch of
// it would take the right to get, and meet conflicts.
func TestWhatIsSharedHasTheSameFields(t *testing.T) {
	for _, asked := range kinds.Whole {
		for _, served := range kinds.Whole {
			for _, kind := range kinds.Of(asked) {
				if asked == served {
					continue // which is never asked
				}
				c := &call{Cluster: Cluster{Version: served}, t: Target{Version: asked}, kind: kind}
				for _, member := range []string{"spec", "status"} {
					one, two := shapeOf(t, asked, kind.Kind, member), shapeOf(t, served, kind.Kind, member)
					if same := one == two && one != ""; c.isShared(member) != same {
						t.Errorf("%s of %s in %s over %s is shared: %t; its fields are the same: %t", member, kind.Kind,
							asked, served, !same, same)
					}
				}
			}
		}
	}
}

// shapeOf a member of an object: names and types of its fields in JSON, with all that is in them.
func shapeOf(t *testing.T, version, kind, member string) string {
	t.Helper()
	object := must.Get(kinds.Scheme.New(schema.GroupVersionKind{Group: api.Group, Version: version, Kind: kind}))(t)
	field, has := reflect.TypeOf(object).Elem().FieldByNameFunc(func(name string) bool {
		return strings.EqualFold(name, member)
	})
	if !has {
		return ""
	}
	return shape(field.Type)
}

func shape(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		return shape(of.Elem())
	case reflect.Slice, reflect.Map:
		return of.Kind().String() + " of " + shape(of.Elem())
	case reflect.Struct:
		var fields strings.Builder
		for field := range of.Fields() {
			fmt.Fprintf(&fields, "%s: %s\n", field.Tag.Get("json"), shape(field.Type))
		}
		return "{" + fields.String() + "}"
	}
	return of.Kind().String()
}
