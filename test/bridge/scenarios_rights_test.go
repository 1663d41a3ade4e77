//go:build e2e

package bridge

import (
	"net/http"
	"strings"
)

var rightsOfUsers = everyUser()

// everyUser tries every verb.
func everyUser() map[string]scenario {
	all := map[string]scenario{}
	for _, user := range []string{"nobody", "reader", "status", "barestatus", "patcher", "creator", "updater", "deleter", "mallory", "many", "system:node:worker", "root",
		"system:serviceaccount:default:impostor", robot, driver} {
		dry := user == driver || strings.HasPrefix(user, "system:node:") // part of what they may is not had through ours, and so would not be done
		all["every verb as "+strings.ReplaceAll(user, ":", " ")] = everyVerb(user, dry)
	}
	return all
}

// everyVerb as a user, on objects that a writer has made. What is dry is not done.
func everyVerb(user string, dry bool) scenario {
	return func(v shape) []step {
		status := func(name, more string) string {
			return `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"` + name + `"},"status":` + allocated(more) + `}`
		}
		devices := `,"devices":[{"driver":"gpu.example.com","pool":"p","device":"d0","data":{"a":1}}]`
		before := []step{
			create("claims", v.claim("a", "")), create("claims", v.claim("b", `,"labels":{"app":"x"}`)), create("claims", v.claim("allocated", "")),
			put("claims/allocated/status", status("allocated", "")),
			create("templates", v.template("a", "")), create("classes", v.class("a-<n>", "")), create("slices", v.slice("a-<n>", "", v.device("d0", ""))),
		}
		asked := []step{
			get("claims/a"), get("claims"), get("all-claims?fieldSelector=metadata.namespace%3D<ns>"), get("claims/a/status"), get("claims/missing"),
			get("claims").accepting(asTable),
			watch("w", "claims?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Da"),
			create("claims", v.claim("mine", "")), create("claims?dryRun=All", v.claim("dry", "")), create("claims", `{"nonsense"`), create("claims?fieldValidation=Strict", v.claim("strict", `,"nonsense":1`)),
			put("claims/a", v.claim("a", `,"labels":{"l":"1"}`)), put("claims/missing", v.claim("missing", "")), put("claims/a", strings.ReplaceAll(v.claim("a", ""), "gpu.example.com", "other.example.com")),
			patch(mergePatch, "claims/a", `{"metadata":{"labels":{"m":"1"}}}`), patch(strategic, "claims/a", `{"metadata":{"labels":{"m":"2"}}}`),
			patch(jsonPatch, "claims/a", `[{"op":"add","path":"/metadata/annotations","value":{"j":"1"}}]`),
			patch(jsonPatch, "claims/a", `[{"op":"test","path":"`+v.inside("deviceClassName")+`","value":"guessed.example.com"}]`),
			patch(mergePatch, "claims/a", `{"spec":`+v.spec()+`}`), patch(mergePatch, "claims/a", `{"spec":null}`), patch(mergePatch, "claims/missing", `{"spec":null}`),
			patch(applyPatch, "claims/a?fieldManager=me", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"a","labels":{"s":"1"}}}`),
			patch(applyPatch, "claims/new?fieldManager=me", v.claim("new", "")),
			put("claims/a/status", status("a", "")), patch(mergePatch, "claims/a/status", `{"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"`+someUID+`"}]}}`),
			put("claims/allocated/status", status("allocated", devices)), patch(mergePatch, "claims/allocated/status", `{"status":{"devices":null}}`),
			patch(applyPatch, "claims/allocated/status?fieldManager=me", `{"apiVersion":"<v>","kind":"ResourceClaim","metadata":{"name":"allocated"},"status":{"devices":[{"driver":"gpu.example.com","pool":"p","device":"d0","data":{"a":2}}]}}`),
			get("templates/a"), create("templates", v.template("mine", "")), put("templates/a", v.template("a", `,"labels":{"l":"1"}`)), patch(mergePatch, "templates/a", `{"metadata":{"labels":{"m":"1"}}}`), remove("templates/a"),
			get("classes/a-<n>"), create("classes", v.class("mine-<n>", "")), put("classes/a-<n>", v.class("a-<n>", `,"labels":{"l":"1"}`)), patch(mergePatch, "classes/a-<n>", `{"metadata":{"labels":{"m":"1"}}}`), remove("classes/a-<n>"),
			get("slices/a-<n>"), create("slices", v.slice("mine-<n>", "", v.device("d0", ""))), put("slices/a-<n>", v.slice("a-<n>", "", v.device("d1", ""))), patch(mergePatch, "slices/a-<n>", `{"metadata":{"labels":{"m":"1"}}}`), remove("slices/a-<n>"),
			remove("claims/b?dryRun=All"), remove("claims?labelSelector=app%3Dx"), remove("claims/a"),
		}
		after := []step{
			get("claims"), get("templates"), remove("classes/a-<n>"), remove("classes/mine-<n>"), remove("slices/a-<n>"), remove("slices/mine-<n>"),
		}
		all := before
		for _, s := range asked {
			if dry && s.method != http.MethodGet && !strings.Contains(s.path, "dryRun") {
				separator := "?"
				if strings.Contains(s.path, "?") {
					separator = "&"
				}
				s.path += separator + "dryRun=All"
			}
			all = append(all, s.by(user))
		}
		return append(all, after...)
	}
}
