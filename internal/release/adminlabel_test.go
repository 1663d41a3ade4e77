package release

import "testing"

func TestRequestsAdminAccess(t *testing.T) {
	const flat, nested = `{"name": "a", "adminAccess": true}`, `{"name": "a", "exactly": {"adminAccess": true}}`
	object := func(version, kind, requests string) string {
		spec := `{"devices": {"requests": [{"name": "b"}, ` + requests + `]}}`
		if kind == "ResourceClaimTemplate" {
			spec = `{"spec": ` + spec + `}`
		}
		return `{"apiVersion": "resource.k8s.io/` + version + `", "kind": "` + kind + `", "spec": ` + spec + `}`
	}
	for text, want := range map[string]bool{
		object("v1", "ResourceClaim", nested):                                                  true,
		object("v1", "ResourceClaimTemplate", nested):                                          true,
		object("v1", "ResourceClaim", flat):                                                    false,
		object("v1beta2", "ResourceClaim", flat):                                               false,
		object("v1beta1", "ResourceClaim", flat):                                               true,
		object("v1alpha3", "ResourceClaimTemplate", flat):                                      true,
		object("v1beta1", "ResourceClaim", nested):                                             false,
		object("v1", "ResourceClaim", `{"exactly": {"adminAccess": false}}`):                   false,
		object("v1", "ResourceClaim", `{"adminAccess": true, "exactly": {"count": 1}}`):        false,
		object("v1", "ResourceClaim", `{"exactly": {"selectors": [{"adminAccess": true}]}}`):   false,
		`{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "adminAccess": true}`:   false,
		`{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": "adminAccess"}`: false,
	} {
		if got := RequestsAdminAccess([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAdminLabelMessage(t *testing.T) {
	const prefix = "adminAccess is true, for which the namespace must have the label "
	for target, want := range map[Target]string{
		{Release: "1.33", Version: "v1beta2"}: prefix + `resource.k8s.io/admin-access: "true"`,
		{Release: "1.34", Version: "v1"}:      prefix + `resource.kubernetes.io/admin-access: "true"`,
		{Version: "v1beta2"}: prefix + `resource.kubernetes.io/admin-access: "true", in 1.33 ` +
			`resource.k8s.io/admin-access: "true"`,
	} {
		if got := AdminLabelMessage(AdminLabels(target)); got != want {
			t.Errorf("%v: %s", target, got)
		}
	}
}
