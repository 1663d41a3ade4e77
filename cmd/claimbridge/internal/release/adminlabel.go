package release

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// The label of namespaces in which claims may ask for adminAccess came with 1.33, and has another name since 1.34.
const (
	firstAdminLabel = "resource.k8s.io/admin-access"
	adminLabel      = "resource.kubernetes.io/admin-access"
)

// AdminLabels are the names of that label for a target: none where none is needed or nobody knows,
// and both where the version alone is known and had both.
func AdminLabels(to Target) []string {
	v, _ := api.Find(to.Version)
	switch {
	case to.Release == "1.33":
		return []string{firstAdminLabel}
	case to.Release != "" && !before(to.Release, "1.33"), to.Release == "" && !before(v.Since, "1.34"):
		return []string{adminLabel}
	case to.Release == "" && v.Since == "1.33":
		return []string{adminLabel, firstAdminLabel}
	}
	return nil
}

// AsksForAdminAccess reports whether a request of a claim or template sets adminAccess where its version has the field.
func AsksForAdminAccess(object []byte) bool {
	members := kjson.ListMembers(bytes.TrimSpace(object))
	_, version, _ := strings.Cut(kjson.StringOf(members.Get("apiVersion")), "/")
	spec := kjson.ListMembers(members.Get("spec"))
	if kjson.StringOf(members.Get("kind")) == api.KindTemplate {
		spec = kjson.ListMembers(spec.Get("spec"))
	}
	devices := kjson.ListMembers(spec.Get("devices"))
	for _, item := range kjson.Items(devices.Get("requests")) {
		request := kjson.ListMembers(item)
		if api.HasExactly(version) {
			request = kjson.ListMembers(request.Get("exactly"))
		}
		if string(request.Get("adminAccess")) == "true" {
			return true
		}
	}
	return false
}

// FormerAdminLabel is the name that a label has in other releases, empty for what is none.
func FormerAdminLabel(label string) string {
	return map[string]string{adminLabel: firstAdminLabel, firstAdminLabel: adminLabel}[label]
}

// before reports whether a release came before another one.
func before(release, than string) bool {
	return api.Minor(release) < api.Minor(than)
}
