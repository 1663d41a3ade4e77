package transcode

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// refusing is a cluster that must not be asked.
type refusing struct{ *testing.T }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) {
	r.Error("the cluster is asked")
	return nil, errors.New("the cluster is asked")
}

// numbered lines, of which %d is the number.
func numbered(line string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%d", strconv.Itoa(i)))
	}
	return b.String()
}

// TestBodiesOfManyItems checks that a body is rejected before it is parsed, in each media type that is parsed.
func TestBodiesOfManyItems(t *testing.T) {
	const yaml, apply = runtime.ContentTypeYAML, string(types.ApplyYAMLPatchType)
	const envelope = "k8s\x00\x12\x80\x80\x20" // a runtime.Unknown with an object of 512 KiB
	many := 2 * maxItems
	tests := map[string]struct{ mediaType, body string }{
		"members of JSON":               {runtime.ContentTypeJSON, `{"a":0` + numbered(`,"a%d":0`, many) + `}`},
		"a merge patch":                 {string(types.MergePatchType), `{"a":0` + numbered(`,"a%d":0`, many) + `}`},
		"lines that are items":          {yaml, strings.Repeat("-\n", 1_400_000)},
		"lines that are members":        {yaml, numbered("a%d:\n", 300_000)},
		"another spelling of its type":  {"Application/YAML; charset=utf-8", strings.Repeat("-\n", many)},
		"items in a line":               {yaml, "[" + strings.Repeat("a,", many) + "]"},
		"items of items in a line":      {yaml, strings.Repeat("- ", many)},
		"items of items, by tabs":       {yaml, strings.Repeat("-\t", many)},
		"keys of keys":                  {yaml, strings.Repeat("? ", many)},
		"lines that end with CR":        {yaml, strings.Repeat("-\r", many)},
		"lines that end with NEL":       {yaml, strings.Repeat("-\u0085", many)},
		"lines that end with LS":        {yaml, strings.Repeat("-\u2028", many)},
		"UTF-16":                        {yaml, "\xff\xfe" + strings.Repeat("-\x00\n\x00", many)},
		"an apply of lines":             {apply, numbered("a%d:\n", many)},
		"an apply of items":             {apply, strings.Repeat("-\n", many)},
		"empty messages of protobuf":    {runtime.ContentTypeProtobuf, envelope + strings.Repeat("\x12\x00", many*2)},
		"messages without the envelope": {runtime.ContentTypeProtobuf, strings.Repeat("\x12\x00", many)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			method, path := http.MethodPost, "/apis/resource.k8s.io/v1/namespaces/a/resourceclaims"
			if strings.Contains(test.mediaType, "patch") {
				method, path = http.MethodPatch, path+"/a"
			}
			r := httptest.NewRequest(method, path, strings.NewReader(test.body))
			r.Header.Set("Content-Type", test.mediaType)
			target, _ := Parse(must.Get(url.Parse(path))(t))
			release := func(*http.Request) string { return "1.33" }
			cluster := Cluster{Next: refusing{t}, Version: "v1beta1", Release: release}
			response := must.Get(cluster.RoundTrip(r, target))(t)
			_ = response.Body.Close()
			if response.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%d bytes: %s", len(test.body), response.Status)
			}
		})
	}
}

// TestTheLargestSliceIsNotTooLarge in any media type: 128 devices with 32 attributes and capacities in all, the limits
// of the API.
func TestTheLargestSliceIsNotTooLarge(t *testing.T) {
	slice := &resourcev1.ResourceSlice{
		TypeMeta:   metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "ResourceSlice"},
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
	}
	for i := range 128 {
		device := resourcev1.Device{
			Name:       "device-" + strconv.Itoa(i),
			Attributes: map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{},
		}
		for j := range 32 {
			name := resourcev1.QualifiedName("driver.example.com/attribute-" + strconv.Itoa(j))
			device.Attributes[name] = resourcev1.DeviceAttribute{StringValue: new("a value of some length")}
		}
		slice.Spec.Devices = append(slice.Spec.Devices, device)
	}
	for _, info := range bodies {
		body := must.Get(runtime.Encode(info.Serializer, slice))(t)
		items := itemsOf(info.MediaType, body)
		t.Logf("%s: %d bytes, %d items", info.MediaType, len(body), items)
		if items > maxItems/2 || items < 128*32 {
			t.Errorf("%s: %d items", info.MediaType, items)
		}
	}
}
