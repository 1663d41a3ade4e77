package conversion

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// oversize objects have about a mebibyte each, and take as much memory as possible.
var oversize = map[string]struct {
	version, object string
	field, why      string
	metadata        bool // which a conversion does not decode
}{
	"requests": {
		version: "v1alpha3",
		object:  `"spec":{"devices":{"requests":[#{}#]}}`,
		field:   "spec.devices.requests",
		why:     "more than 1024 items",
	},
	"selectors": {
		version: "v1alpha3",
		object:  `"spec":{"devices":{"requests":[{},{"selectors":[#{}#]}]}}`,
		field:   "spec.devices.requests[1].selectors",
		why:     "more than 1024 items",
	},
	"configuration": {
		version: "v1alpha3",
		object:  `"spec":{"devices":{"config":[#{}#]}}`,
		field:   "spec.devices.config",
		why:     "more than 1024 items",
	},
	"names of requests": {
		version: "v1alpha3",
		object:  `"spec":{"devices":{"constraints":[{"requests":[#""#]}]}}`,
		field:   "spec.devices.constraints[0].requests",
		why:     "more than 1024 items",
	},
	"results": {
		version: "v1alpha3",
		object:  `"status":{"allocation":{"devices":{"results":[#{}#]}}}`,
		field:   "status.allocation.devices.results",
		why:     "more than 1024 items",
	},
	"results, not clean": {
		version: "v1alpha3",
		object:  `"status":{"new":1,"allocation":{"devices":{"results":[#{"odd":0}#]}}}`,
		field:   "status.allocation.devices.results",
		why:     "more than 1024 items",
	},
	"consumers": {
		version: "v1alpha3",
		object:  `"status":{"reservedFor":[#{}#]}`,
		field:   "status.reservedFor",
		why:     "more than 1024 items",
	},
	"old consumers": {
		version: "v1alpha1",
		object:  `"status":{"reservedFor":[#{}#]}`,
		field:   "status.reservedFor",
		why:     "more than 1024 items",
	},
	"handles": {
		version: "v1alpha2",
		object:  `"status":{"allocation":{"resourceHandles":[#{}#]}}`,
		field:   "status.allocation.resourceHandles",
		why:     "more than 1024 items",
	},
	"handles, null": {
		version: "v1alpha2",
		object:  `"status":{"allocation":{"resourceHandles":[#null#]}}`,
		field:   "status.allocation.resourceHandles",
		why:     "more than 1024 items",
	},
	"unknown members":   {version: "v1alpha3", object: `#"a%d":0#`, why: "more than 1024 members"},
	"one member, often": {version: "v1alpha3", object: `#"a":0#`, why: "more than 1024 members"},
	"unknown metadata": {
		version: "v1alpha3",
		object:  `"metadata":{"name":"big","namespace":"ns",#"a%d":0#}`,
		field:   "metadata",
		why:     "more than 1024 members",
	},
	"labels": {
		version: "v1alpha3",
		object:  `"metadata":{"name":"big","namespace":"ns","labels":{##"a%d":""##}}`,
		field:   "metadata.labels",
		why:     "more than 262144 members",
	},
	"annotations": {
		version: "v1alpha3",
		object:  `"metadata":{"name":"big","namespace":"ns","annotations":{##"a%d":""##}}`,
		field:   "metadata.annotations",
		why:     "more than 262144 members",
	},
	"node selector": {
		version: "v1alpha2",
		object: `"status":{"allocation":{"availableOnNodes":{"nodeSelectorTerms":[##{"matchExpressions":[{},{},{},` +
			`{},{},{},{}]}##]}}}`,
		field: "status.allocation.availableOnNodes.nodeSelectorTerms",
		why:   "more than 12 MiB",
	},
	"managed fields": {
		version:  "v1alpha3",
		object:   `"metadata":{"name":"big","namespace":"ns","managedFields":[###{}###]}`,
		field:    "metadata.managedFields",
		why:      "more than 12 MiB",
		metadata: true,
	},
}

// stuffed repeats the text between marks.
func stuffed(object string) string {
	for mark, n := range map[string]int{"###": 700_000, "##": 300_000, "#": 150_000} {
		parts := strings.Split(object, mark)
		if len(parts) != 3 || strings.Contains(parts[1], "#") {
			continue
		}
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(parts[1], "%d", fmt.Sprint(i)))
		}
		return parts[0] + b.String() + parts[2]
	}
	return object
}

// The error names the field, and occurs before the memory is allocated.
func TestValuesBeyondTheLimitsAreNotBuilt(t *testing.T) {
	for name, test := range oversize {
		t.Run(name, func(t *testing.T) {
			object := `{"apiVersion":"resource.k8s.io/` + test.version + `","kind":"ResourceClaim",`
			if !strings.Contains(test.object, "metadata") {
				object += `"metadata":{"name":"big","namespace":"ns"},`
			}
			text := []byte(object + stuffed(test.object) + "}")
			want := "ResourceClaim ns/big: " + test.version
			to := map[string]string{
				"v1alpha1": "v1alpha3", "v1alpha2": "v1alpha1", "v1alpha3": "v1alpha2",
			}[test.version]
			if !test.metadata {
				var err error
				built := allocated(func() { _, _, err = ConvertJSON(text, to, Options{}) })
				if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), test.field) ||
					!strings.Contains(err.Error(), test.why) {
					t.Errorf("converted: %.300v", err)
				}
				if most := uint64(8*objectjson.MaxBuilt + 2*len(text)); built > most {
					t.Errorf("converting %d bytes takes %d", len(text), built)
				}
			}
			if strings.HasSuffix(test.why, "members") { // those of types are not a list
				return
			}
			into := map[string]any{
				"v1alpha1": &v1alpha1.ResourceClaim{}, "v1alpha2": &v1alpha2.ResourceClaim{},
				"v1alpha3": &v1alpha3.ResourceClaim{},
			}[test.version]
			var err error
			built := allocated(func() { _, err = objectjson.Decode(text, into) })
			if err == nil || !strings.HasPrefix(err.Error(), test.field) || !strings.Contains(err.Error(), test.why) {
				t.Errorf("decoded: %.300v", err)
			}
			if built > 1<<20 {
				t.Errorf("refusing %d bytes takes %d", len(text), built)
			}
		})
	}
}

func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The largest objects that fit into the 1.5 MiB of etcd can be read.
func TestStoredDataIsReadBack(t *testing.T) {
	const etcd = 3 << 19
	full := func(format, item string) string {
		items := strings.TrimSuffix(strings.Repeat(item+",", (etcd-200-len(format))/(len(item)+1)), ",")
		return `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",` + fmt.Sprintf(format, items) + `}`
	}
	pairs := func(of string) string {
		var b strings.Builder
		fmt.Fprintf(&b,
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"full","labels":{`)
		for i := 0; b.Len() < etcd-100; i++ {
			fmt.Fprintf(&b, `"%x":%s,`, i, of)
		}
		return strings.TrimSuffix(b.String(), ",") + `}},"spec":{"resourceClassName":"c"}}`
	}
	spec := `"metadata":{"name":"full"},"spec":{"resourceClassName":"c"},`
	for name, object := range map[string]string{
		"terms of a node selector": full(spec+`"status":{"allocation":{"availableOnNodes":{"nodeSelectorTerms":[%s]}}}`,
			`{"matchFields":[{"key":"a"}]}`),
		"expressions": full(spec+
			`"status":{"allocation":{"availableOnNodes":{"nodeSelectorTerms":[{"matchExpressions":[%s]}]}}}`,
			`{"key":"a"}`),
		"values": full(spec+`"status":{"allocation":{"availableOnNodes":{"nodeSelectorTerms":[{"matchFields":[{`+
			`"key":"a","operator":"In","values":[%s]}]}]}}}`,
			`""`),
		"results of a handle": full(spec+
			`"status":{"allocation":{"resourceHandles":[{"driverName":"d","structuredData":{"results":[%s]}}]}}`,
			`{"namedResources":{"name":"a"}}`),
		"finalizers": full(`"metadata":{"name":"full","finalizers":[%s]},"spec":{"resourceClassName":"c"}`,
			`"a"`),
		"parameters": full(spec+
			`"status":{"allocation":{"resourceHandles":[{"driverName":"d",`+
			`"structuredData":{"vendorClassParameters":[%s]}}]}}`,
			`0`),
		"labels": pairs(`""`),
	} {
		t.Run(name, func(t *testing.T) {
			if len(object) > etcd {
				t.Fatalf("%d bytes are not stored", len(object))
			}
			if _, _, err := ConvertJSON([]byte(object), "v1alpha3", Options{}); err != nil {
				t.Errorf("not converted: %.300v", err)
			}
			if _, err := objectjson.Decode([]byte(object), &v1alpha2.ResourceClaim{}); err != nil {
				t.Errorf("not decoded: %.300v", err)
			}
		})
	}
}
