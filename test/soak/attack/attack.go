// Package attack has request bodies that are expensive for the server.
package attack

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// Request is a path and an expensive body.
type Request struct{ Path, Body string }

const mib = 1 << 20

// repeat returns copies of a JSON item, separated by commas, that have at least minBytes. Each has its index in place
// of %d.
func repeat(item string, minBytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < minBytes; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(item, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// Claim returns a claim with additional members in its metadata and after its metadata. Each begins with a comma.
func Claim(version, metadata, members string) string {
	return `{"apiVersion":"resource.k8s.io/` + version +
		`","kind":"ResourceClaim","metadata":{"name":"a","namespace":"default","uid":"u"` + metadata + `}` + members + `}`
}

// Members of a claim, with %s for repeated items.
const (
	results  = `,"spec":{"devices":{}},"status":{"allocation":{"devices":{"results":[%s]}}}`
	requests = `,"spec":{"devices":{"requests":[%s]}}`
	handles  = `,"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"resourceHandles":[%s]}}`
	nodes    = `,"spec":{"resourceClassName":"c"},"status":{"driverName":"d",` +
		`"allocation":{"availableOnNodes":{"nodeSelectorTerms":[%s]}}}`
	parameters = `,"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":%s}}]}}`
)

// fill returns members with items in place of %s.
func fill(members, items string) string { return strings.Replace(members, "%s", items, 1) }

// nestedObjects returns JSON with a depth, and with unsorted members in each object.
func nestedObjects(depth, bytes int) string {
	return strings.Repeat(`{"c":"`+strings.Repeat("x", bytes/depth)+`","b":`, depth) + "0" + strings.Repeat(`,"a":0}`,
		depth)
}

// claimWithSelectors returns a claim with different expressions that are expensive to compile.
func claimWithSelectors(expression string, count int) string {
	items := make([]string, count)
	for i := range items {
		items[i] = fmt.Sprintf(`{"cel":{"expression":"%s || %d == 0"}}`, expression, i)
	}
	return Claim("v1alpha3", "",
		fill(requests, `{"name":"r","deviceClassName":"c","selectors":[`+strings.Join(items, ",")+`]}`))
}

// All returns the requests of all attacks.
func All() []Request {
	all := Conversions()
	maps.Copy(all, Writes())
	maps.Copy(all, Expressions())
	return slices.Collect(maps.Values(all))
}

// downgrade returns a request to convert an object to v1alpha2.
func downgrade(object string) Request {
	return Request{"/convert", reviews.Conversion("resource.k8s.io/v1alpha2", object)}
}

// upgrade returns a request to convert objects to v1alpha3.
func upgrade(objects string) Request {
	return Request{"/convert", reviews.Conversion("resource.k8s.io/v1alpha3", objects)}
}

// create returns a request to validate the creation of an object.
func create(version, object string) Request {
	return Request{"/validate", reviews.AdmissionIn(version, "CREATE", "", object, "null")}
}

// Conversions returns attacks on conversion, by their content.
func Conversions() map[string]Request {
	return map[string]Request{
		"3 MiB of results":                downgrade(Claim("v1alpha3", "", fill(results, repeat("{}", 3*mib)))),
		"3 MiB of requests":               downgrade(Claim("v1alpha3", "", fill(requests, repeat("{}", 3*mib)))),
		"3 MiB of handles":                upgrade(Claim("v1alpha2", "", fill(handles, repeat("{}", 3*mib)))),
		"12 MiB of results":               downgrade(Claim("v1alpha3", "", fill(results, repeat("{}", 12*mib)))),
		"15 MiB of requests":              downgrade(Claim("v1alpha3", "", fill(requests, repeat("{}", 15*mib)))),
		"12 MiB of unknown fields":        downgrade(Claim("v1alpha3", "", ","+repeat(`"a%d":0`, 12*mib))),
		"12 MiB of unknown status fields": downgrade(Claim("v1alpha3", "", `,"status":{`+repeat(`"a%d":0`, 12*mib)+`}`)),
		"12 MiB of labels":                downgrade(Claim("v1alpha3", `,"labels":{`+repeat(`"a%d":""`, 12*mib)+`}`, "")),
		"labels up to the limit": downgrade(Claim("v1alpha3", `,"labels":{`+repeat(`"a%d":""`, 3*mib)+`}`,
			`,"spec":{"devices":{}}`)),
		"12 MiB of annotations": downgrade(Claim("v1alpha3", `,"annotations":{`+repeat(`"a%d":""`, 12*mib)+`}`,
			"")),
		"12 MiB of managed fields": downgrade(Claim("v1alpha3", `,"managedFields":[`+repeat(`{}`, 12*mib)+`]`,
			`,"spec":{"devices":{}}`)),
		"3 MiB of node selector terms":  upgrade(Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 3*mib)))),
		"15 MiB of node selector terms": upgrade(Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 15*mib)))),
		"3 MiB of node selector expressions": upgrade(Claim("v1alpha2", "",
			fill(nodes, `{"matchExpressions":[`+repeat(`{}`, 3*mib)+`]}`))),
		"15 MiB of node selector values": upgrade(Claim("v1alpha2", "",
			fill(nodes, `{"matchExpressions":[{"key":"a","values":[`+repeat(`""`, 15*mib)+`]}]}`))),
		"3 MiB of node selector terms, with an unknown field": upgrade(Claim("v1alpha2", "",
			strings.Replace(fill(nodes, repeat(`{}`, 3*mib)), `"driverName"`, `"unknown":0,"driverName"`, 1))),
		"3 MiB of results of a handle": upgrade(Claim("v1alpha2", "",
			fill(handles, `{"driverName":"d","structuredData":{"results":[`+repeat(`{}`, 3*mib)+`]}}`))),
		"15 MiB of different results": upgrade(Claim("v1alpha2", "", fill(handles, differentResults(15*mib)))),
		"3 MiB of a preserved status": upgrade(Claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"reservedFor":[{}],`+
				`"claimbridgeLeftover":"v1:{\"reservedFor\":[`+repeat(`{\"uid\":\"%d\"}`,
				3*mib-1024)+`]}"}`)),
		"3 MiB of consumers": downgrade(Claim("v1alpha3", "",
			`,"status":{"reservedFor":[`+repeat(`{}`, 3*mib)+`]}`)),
		"15 MiB of nested arrays":          downgrade(Claim("v1alpha3", "", `,"spec":`+strings.Repeat("[", 15*mib))),
		"parameters with a depth of 9,000": upgrade(claimWithDeepParameters()),
		"15 MiB of parameters": downgrade(Claim("v1alpha3", "",
			fill(parameters, `{`+repeat(`"a%d":0`, 15*mib)+`}`))),
		"100,000 objects of two bytes":   upgrade(strings.TrimSuffix(strings.Repeat("{},", 100_000), ",")),
		"15 MiB of objects of two bytes": upgrade(repeat("{}", 15*mib)),
		"15 MiB of small claims":         upgrade(repeat(smallClaim(), 15*mib)),
		"60 MiB of small claims":         upgrade(repeat(smallClaim(), 60*mib)),
		"a uid of 15 MiB": {
			"/convert",
			strings.Replace(upgrade(smallClaim()).Body, `"uid":"the-uid"`, `"uid":"`+strings.Repeat("<", 15*mib)+`"`, 1),
		},
	}
}

func smallClaim() string { return Claim("v1alpha2", "", `,"spec":{"resourceClassName":"c"}`) }

func claimWithDeepParameters() string {
	return Claim("v1alpha2", "",
		fill(handles, `{"driverName":"d","structuredData":{"vendorClassParameters":`+nestedObjects(9000, mib)+`}}`))
}

// differentResults returns a handle whose results have the parameters of 62 requests, and then repeatedly those of the
// last one with another encoding.
func differentResults(bytes int) string {
	result := func(n, space string) string {
		return `{"vendorRequestParameters":{` + space + `"a":` + n + `},"namedResources":{"name":"a"}}`
	}
	items := make([]string, 62)
	for i := range items {
		items[i] = result(fmt.Sprint(i), "")
	}
	first := strings.Join(items, ",") + ","
	return `{"driverName":"d","structuredData":{"results":[` + first + repeat(result("61", " "),
		bytes-len(first)) + `]}}`
}

// Writes returns attacks on admission.
func Writes() map[string]Request {
	createWithMetadata := func(members string) Request {
		return create("v1alpha3", Claim("v1alpha3", members, `,"spec":{"devices":{}}`))
	}
	smallReview := create("v1alpha2", smallClaim()).Body
	manyRequests := Claim("v1alpha3", "", fill(requests, repeat("{}", 3*mib)))
	return map[string]Request{
		"parameters with a depth of 9,000, validated": {
			"/validate",
			reviews.AdmissionIn("v1alpha2", "UPDATE", "", claimWithDeepParameters(), claimWithDeepParameters()),
		},
		"a uid of 15 MiB, validated": {
			"/validate",
			strings.Replace(smallReview, `"uid":"the-uid"`, `"uid":"`+strings.Repeat("<", 15*mib)+`"`, 1),
		},
		"12 MiB of unknown fields of a review": {
			"/validate",
			strings.Replace(smallReview, `"uid":"the-uid"`, repeat(`"a%d":0`, 12*mib)+`,"uid":"the-uid"`, 1),
		},
		"3 MiB of requests, validated": create("v1alpha3", manyRequests),
		"3 MiB of requests, defaulted": {
			"/default",
			reviews.AdmissionIn("v1alpha3", "CREATE", "", manyRequests, "null"),
		},
		"3 MiB of finalizers":                createWithMetadata(`,"finalizers":[` + repeat(`"a"`, 3*mib) + `]`),
		"3 MiB of owner references":          createWithMetadata(`,"ownerReferences":[` + repeat(`{}`, 3*mib) + `]`),
		"3 MiB of managed fields, validated": createWithMetadata(`,"managedFields":[` + repeat(`{}`, 3*mib) + `]`),
		"3 MiB of labels":                    createWithMetadata(`,"labels":{` + repeat(`"a%d":""`, 3*mib) + `}`),
		"3 MiB of node selector terms, validated": {
			"/validate",
			reviews.AdmissionIn("v1alpha2", "UPDATE", "", Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 3*mib))),
				smallClaim()),
		},
	}
}

// Expressions returns attacks on the compiler of selectors.
func Expressions() map[string]Request {
	return map[string]Request{
		"a regular expression of 22 KB": create("v1alpha3",
			claimWithSelectors(`device.driver.matches('`+strings.Repeat("a{1000}", 3200)+`')`, 1)),
		"nested expressions": create("v1alpha3",
			claimWithSelectors(strings.Repeat("[", 240)+strings.Repeat("]", 240)+" == []", 12)),
	}
}
