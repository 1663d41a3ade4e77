package transcode

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
)

func isView(version string) bool { return slices.Contains(kinds.Views, version) }

// deprecated is the warning of an API server that serves a version itself; "" for none. Alpha
// versions are gone since their time, and get the like.
func deprecated(gvk schema.GroupVersionKind) string {
	since, gone := "", ""
	if v, known := api.Find(gvk.Version); known {
		since, gone = v.Gone, v.Gone
	}
	use := schema.GroupVersionKind{}
	if isView(gvk.Version) {
		use = schema.GroupVersionKind{Group: api.Group, Version: kinds.Whole[0], Kind: gvk.Kind}
	}
	object, err := kinds.Scheme.New(gvk)
	if typed, is := object.(interface{ APILifecycleDeprecated() (int, int) }); is && err == nil {
		since = release(typed.APILifecycleDeprecated())
	}
	if typed, is := object.(interface{ APILifecycleRemoved() (int, int) }); is && err == nil {
		gone = release(typed.APILifecycleRemoved())
	}
	if typed, is := object.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); is && err == nil {
		use = typed.APILifecycleReplacement()
	}
	if since == "" {
		return ""
	}
	text := fmt.Sprintf("%s %s is deprecated in v%s+, unavailable in v%s+", gvk.GroupVersion(), gvk.Kind, since, gone)
	if !use.Empty() {
		text += fmt.Sprintf("; use %s %s", use.GroupVersion(), use.Kind)
	}
	return text
}

func release(major, minor int) string { return fmt.Sprintf("%d.%d", major, minor) }
