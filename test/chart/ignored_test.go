//go:build e2e

package chart

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// rule of what a tool ignores: fields of all objects of a kind, or of one.
type rule struct{ kind, name, pointer string }

func (r rule) covers(of rule) bool {
	return r.kind == of.kind && (r.name == "" || r.name == of.name) && (of.pointer == r.pointer || strings.HasPrefix(of.pointer, r.pointer+"/"))
}

// What the server changes of its own objects is what the page's examples ignore: nothing more, as that would go unseen, and nothing less, as that would be taken away.
func TestIgnoredIsWhatTheServerWrites(t *testing.T) {
	_, release, _ := strings.Cut(example(t, "Flux"), "\n---\n")
	rules := map[string][]rule{}
	for _, i := range parsed[helmRelease](t, release).Spec.DriftDetection.Ignore {
		for _, path := range i.Paths {
			rules["Flux"] = append(rules["Flux"], rule{i.Target.Kind, i.Target.Name, path})
		}
	}
	for _, i := range parsed[application](t, example(t, "Argo CD")).Spec.IgnoreDifferences {
		for _, pointer := range i.JSONPointers {
			rules["Argo CD"] = append(rules["Argo CD"], rule{i.Kind, i.Name, pointer})
		}
	}
	c := start(t)
	h := newHelm(t, releases[0])
	h.kubeconfig = c.kubeconfig

	port := plane.Port(t)
	h.run(t, "install", "mine", reachable(t, webhookChart, port), "--namespace="+namespace, "--create-namespace", "--set=group="+group, "--set=certificates=self")
	before := c.live(t, h, "mine")
	c.serve(t, port)
	c.await(t, "a bundle", "", "LS0t", "get", "validatingwebhookconfiguration", "claimbridge", "-o", "jsonpath={.webhooks[0].clientConfig.caBundle}")
	c.await(t, "a bundle", "", "LS0t LS0t", "get", "crd", "-o", `go-template={{range .items}}{{slice .spec.conversion.webhook.clientConfig.caBundle 0 4}} {{end}}`)
	c.await(t, "a bundle", "", "LS0t", "get", "mutatingwebhookconfiguration", "claimbridge", "-o", "jsonpath={.webhooks[0].clientConfig.caBundle}")
	written := changed(before, c.live(t, h, "mine"))
	for tool, ignored := range rules {
		covered(t, tool, ignored, written)
	}
	h.run(t, "uninstall", "mine", "--namespace="+namespace)

	h.run(t, "install", "other", aggregatedChart, "--namespace="+namespace, "--set=certificates=self")
	before = c.live(t, h, "other")
	c.serveAggregated(t)
	c.await(t, "a bundle", "", "LS0t LS0t", "get", "apiservices", "-l", "app.kubernetes.io/name=claimbridge-apiserver", "-o", `go-template={{range .items}}{{slice .spec.caBundle 0 4}} {{end}}`)
	covered(t, "the other chart", []rule{{"APIService", "", "/spec/caBundle"}, {"Secret", "claimbridge-apiserver-ca", "/data"}}, changed(before, c.live(t, h, "other")))
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range []string{
		"`target: {kind: APIService}` with `paths: [/spec/caBundle]`, and the Secret `claimbridge-apiserver-ca`",
		"group `apiregistration.k8s.io`, kind `APIService`,\n`jsonPointers: [/spec/caBundle]`, and the Secret `claimbridge-apiserver-ca`",
	} {
		if !strings.Contains(string(text), sentence) {
			t.Errorf("%s does not say %q", page, sentence)
		}
	}
}

// covered is what was written, by rules of which each covers something.
func covered(t *testing.T, tool string, rules, written []rule) {
	t.Helper()
	if len(written) == 0 {
		t.Fatalf("%s: nothing was written", tool)
	}
	for _, w := range written {
		if !slices.ContainsFunc(rules, func(r rule) bool { return r.covers(w) }) {
			t.Errorf("%s does not ignore %s of %s %s, which the server writes", tool, w.pointer, w.kind, w.name)
		}
	}
	for _, r := range rules {
		if !slices.ContainsFunc(written, r.covers) {
			t.Errorf("%s ignores %s of %s %s, which nobody writes", tool, r.pointer, r.kind, r.name)
		}
	}
}

// live objects of a release, by what they are called, each as its leaves by their pointers. What an API server writes into every object, and what is a status,
// no tool compares.
func (c *cluster) live(t *testing.T, h helm, release string) map[rule]map[string]string {
	t.Helper()
	all := map[rule]map[string]string{}
	for _, object := range objects(t, h.run(t, "get", "manifest", release, "--namespace="+namespace)) {
		o := &unstructured.Unstructured{Object: object}
		kind := o.GetKind()
		if group, version, grouped := strings.Cut(o.GetAPIVersion(), "/"); grouped {
			kind += "." + version + "." + group
		}
		args := []string{"get", kind, o.GetName(), "-o", "json"}
		if o.GetNamespace() != "" {
			args = append(args, "--namespace="+o.GetNamespace())
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(c.kubectl(t, args...)), &got); err != nil {
			t.Fatal(err)
		}
		metadata := got["metadata"].(map[string]any)
		for _, field := range []string{"managedFields", "resourceVersion", "generation"} {
			delete(metadata, field)
		}
		delete(got, "status")
		leaves := map[string]string{}
		flatten("", got, leaves)
		all[rule{kind: o.GetKind(), name: o.GetName()}] = leaves
	}
	return all
}

func flatten(pointer string, value any, leaves map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			flatten(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), member, leaves)
		}
	case []any:
		for i, member := range value {
			flatten(fmt.Sprintf("%s/%d", pointer, i), member, leaves)
		}
	default:
		leaves[pointer] = fmt.Sprint(value)
	}
}

// changed leaves of objects.
func changed(before, after map[rule]map[string]string) (all []rule) {
	for id, leaves := range after {
		pointers := maps.Clone(leaves)
		maps.Copy(pointers, before[id])
		for pointer := range pointers {
			if was, is := before[id][pointer], leaves[pointer]; was != is {
				all = append(all, rule{id.kind, id.name, pointer})
			}
		}
	}
	return all
}
