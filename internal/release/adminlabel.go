package release

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// The label of namespaces in which claims may use adminAccess was added in 1.33, and renamed in 1.34.
const (
	firstAdminLabel = "resource.k8s.io/admin-access"
	adminLabel      = "resource.kubernetes.io/admin-access"
)

// AdminLabels returns the names of that label for a target. It returns none if the label is not needed or not known,
// and both names if the target is a version without a release, and releases with that version use different names.
func AdminLabels(to Target) []string {
	v, _ := api.Find(to.Version)
	switch {
	case to.Release == "1.33":
		return []string{firstAdminLabel}
	case to.Release != "" && !isBefore(to.Release, "1.33"), to.Release == "" && !isBefore(v.Since, "1.34"):
		return []string{adminLabel}
	case to.Release == "" && v.Since == "1.33":
		return []string{adminLabel, firstAdminLabel}
	}
	return nil
}

// AdminLabelMessage says which label the namespace of a claim with adminAccess must have. The labels are those of
// AdminLabels.
func AdminLabelMessage(labels []string) string {
	message := "adminAccess is true, for which the namespace must have the label " + labels[0] + `: "true"`
	if len(labels) > 1 {
		message += ", in 1.33 " + labels[1] + `: "true"`
	}
	return message
}

// RequestsAdminAccess reports whether a request of a claim or template sets adminAccess where its version has the
// field.
func RequestsAdminAccess(object []byte) bool {
	members := objectjson.ListMembers(bytes.TrimSpace(object))
	_, version, _ := strings.Cut(objectjson.StringOf(members.Get("apiVersion")), "/")
	spec := objectjson.ListMembers(members.Get("spec"))
	if objectjson.StringOf(members.Get("kind")) == api.KindTemplate {
		spec = objectjson.ListMembers(spec.Get("spec"))
	}
	devices := objectjson.ListMembers(spec.Get("devices"))
	for _, item := range objectjson.Items(devices.Get("requests")) {
		value := item
		for _, name := range api.RequestFieldPath(version, "adminAccess") {
			members := objectjson.ListMembers(value)
			value = members.Get(name)
		}
		if string(value) == "true" {
			return true
		}
	}
	return false
}

// OtherAdminLabel returns the name of the label in other releases, newer or older, or "" for another label.
func OtherAdminLabel(label string) string {
	return map[string]string{adminLabel: firstAdminLabel, firstAdminLabel: adminLabel}[label]
}

// isBefore reports whether a release is older than another one.
func isBefore(release, other string) bool {
	return api.Minor(release) < api.Minor(other)
}
