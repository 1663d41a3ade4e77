package preflight

import "testing"

// An API server of today has resource.k8s.io in its own code. There the group must be named before anything is installed,
// and after; a group of one's own is as good as anywhere.
func TestBuiltInGroupIsNamed(t *testing.T) {
	t.Parallel()
	env := start(t, true)
	const builtIn = "problem group-is-not-built-in API group resource.k8s.io"

	before := &installation{config: env.Config, group: group}
	before.expect(t, fault{
		want: []string{"problem claimbridge-is-installed API group resource.k8s.io", builtIn},
		says: "remedy: do not install the definitions of resource.k8s.io here",
	})
	install(t, env.Config, "claims.example.com").expect(t, fault{})

	after := newInstallation(t, env.Config, group)
	for _, object := range after.objects {
		after.eventually(t, "install "+object.GetName(), func() error { return after.put(object) })
	}
	after.available(t)
	after.expect(t, fault{want: []string{builtIn}, says: "the API server serves v1 of resource.k8s.io itself, so requests for claims are answered with 404"})
}
