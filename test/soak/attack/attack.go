// Package attack has request bodies that are expensive for the server.
package attack

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// Attack is an expensive body and its path.
type Attack struct{ Path, Body string }

const mib = 1 << 20

// repeat returns an item repeatedly up to a number of bytes, with an index in place of %d.
func repeat(item string, bytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(item, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// Claim returns a claim with additional members in its metadata and after it.
func Claim(version, metadata, rest string) string {
	return `{"apiVersion":"resource.k8s.io/` + version +
		`","kind":"ResourceClaim","metadata":{"name":"a","namespace":"default","uid":"u"` + metadata + `}` + rest + `}`
}

const (
	results  = `,"spec":{"devices":{}},"status":{"allocation":{"devices":{"results":[%s]}}}`
	requests = `,"spec":{"devices":{"requests":[%s]}}`
	handles  = `,"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"resourceHandles":[%s]}}`
	nodes    = `,"spec":{"resourceClassName":"c"},"status":{"driverName":"d",` +
		`"allocation":{"availableOnNodes":{"nodeSelectorTerms":[%s]}}}`
	private = `,"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":%s}}]}}`
)

func fill(format, items string) string { return strings.Replace(format, "%s", items, 1) }

// nested returns JSON with a depth, and with unsorted members in each object.
func nested(depth, bytes int) string {
	return strings.Repeat(`{"c":"`+strings.Repeat("x", bytes/depth)+`","b":`, depth) + "0" + strings.Repeat(`,"a":0}`,
		depth)
}

// withSelectors returns a claim with different expressions that are expensive to compile.
func withSelectors(expression string, times int) string {
	items := make([]string, times)
	for i := range items {
		items[i] = fmt.Sprintf(`{"cel":{"expression":"%s || %d == 0"}}`, expression, i)
	}
	return Claim("v1alpha3", "",
		fill(requests, `{"name":"r","deviceClassName":"c","selectors":[`+strings.Join(items, ",")+`]}`))
}

// All returns all attacks.
func All() []Attack {
	all := Conversions()
	maps.Copy(all, Writes())
	maps.Copy(all, Expressions())
	return slices.Collect(maps.Values(all))
}

func downgrade(object string) Attack {
	return Attack{"/convert", reviews.Conversion("resource.k8s.io/v1alpha2", object)}
}

func upgrade(objects string) Attack {
	return Attack{"/convert", reviews.Conversion("resource.k8s.io/v1alpha3", objects)}
}

func create(version, object string) Attack {
	return Attack{"/validate", reviews.AdmissionIn(version, "CREATE", "", object, "null")}
}

// Conversions returns attacks on conversion, by their content.
func Conversions() map[string]Attack {
	return map[string]Attack{
		"3 MiB of results":          downgrade(Claim("v1alpha3", "", fill(results, repeat("{}", 3*mib)))),
		"3 MiB of requests":         downgrade(Claim("v1alpha3", "", fill(requests, repeat("{}", 3*mib)))),
		"3 MiB of handles":          upgrade(Claim("v1alpha2", "", fill(handles, repeat("{}", 3*mib)))),
		"12 MiB of results":         downgrade(Claim("v1alpha3", "", fill(results, repeat("{}", 12*mib)))),
		"15 MiB of requests":        downgrade(Claim("v1alpha3", "", fill(requests, repeat("{}", 15*mib)))),
		"12 MiB of unknown members": downgrade(Claim("v1alpha3", "", ","+repeat(`"a%d":0`, 12*mib))),
		"12 MiB of unknown status":  downgrade(Claim("v1alpha3", "", `,"status":{`+repeat(`"a%d":0`, 12*mib)+`}`)),
		"12 MiB of labels":          downgrade(Claim("v1alpha3", `,"labels":{`+repeat(`"a%d":""`, 12*mib)+`}`, "")),
		"labels up to the limit": downgrade(Claim("v1alpha3", `,"labels":{`+repeat(`"a%d":""`, 3*mib)+`}`,
			`,"spec":{"devices":{}}`)),
		"12 MiB of annotations": downgrade(Claim("v1alpha3", `,"annotations":{`+repeat(`"a%d":""`, 12*mib)+`}`,
			"")),
		"12 MiB of managed fields": downgrade(Claim("v1alpha3", `,"managedFields":[`+repeat(`{}`, 12*mib)+`]`,
			`,"spec":{"devices":{}}`)),
		"3 MiB of terms":  upgrade(Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 3*mib)))),
		"15 MiB of terms": upgrade(Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 15*mib)))),
		"3 MiB of expressions of nodes": upgrade(Claim("v1alpha2", "",
			fill(nodes, `{"matchExpressions":[`+repeat(`{}`, 3*mib)+`]}`))),
		"15 MiB of values": upgrade(Claim("v1alpha2", "",
			fill(nodes, `{"matchExpressions":[{"key":"a","values":[`+repeat(`""`, 15*mib)+`]}]}`))),
		"3 MiB of terms, non-canonical": upgrade(Claim("v1alpha2", "",
			strings.Replace(fill(nodes, repeat(`{}`, 3*mib)), `"driverName"`, `"unknown":0,"driverName"`, 1))),
		"3 MiB of results of a handle": upgrade(Claim("v1alpha2", "",
			fill(handles, `{"driverName":"d","structuredData":{"results":[`+repeat(`{}`, 3*mib)+`]}}`))),
		"15 MiB of results that differ": upgrade(Claim("v1alpha2", "", fill(handles, differing(15*mib)))),
		"3 MiB of a preserved status": upgrade(Claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"reservedFor":[{}],`+
				`"claimbridgeLeftover":"v1:{\"reservedFor\":[`+repeat(`{\"uid\":\"%d\"}`,
				3*mib-1024)+`]}"}`)),
		"3 MiB of consumers": downgrade(Claim("v1alpha3", "",
			`,"status":{"reservedFor":[`+repeat(`{}`, 3*mib)+`]}`)),
		"15 MiB of arrays in arrays":       downgrade(Claim("v1alpha3", "", `,"spec":`+strings.Repeat("[", 15*mib))),
		"parameters with a depth of 9,000": upgrade(deep()),
		"15 MiB of parameters": downgrade(Claim("v1alpha3", "",
			fill(private, `{`+repeat(`"a%d":0`, 15*mib)+`}`))),
		"100,000 objects of two bytes":   upgrade(strings.TrimSuffix(strings.Repeat("{},", 100_000), ",")),
		"15 MiB of objects of two bytes": upgrade(repeat("{}", 15*mib)),
		"15 MiB of small claims":         upgrade(repeat(classic(), 15*mib)),
		"60 MiB of small claims":         upgrade(repeat(classic(), 60*mib)),
		"15 MiB of a uid": {
			"/convert",
			strings.Replace(upgrade(classic()).Body, `"uid":"the-uid"`, `"uid":"`+strings.Repeat("<", 15*mib)+`"`, 1),
		},
	}
}

func classic() string { return Claim("v1alpha2", "", `,"spec":{"resourceClassName":"c"}`) }

func deep() string {
	return Claim("v1alpha2", "",
		fill(handles, `{"driverName":"d","structuredData":{"vendorClassParameters":`+nested(9000, mib)+`}}`))
}

// differing returns a handle whose results have the parameters of 62 requests, and then repeatedly those of the last
// one with another encoding.
func differing(bytes int) string {
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
func Writes() map[string]Attack {
	inMetadata := func(more string) Attack {
		return create("v1alpha3", Claim("v1alpha3", more, `,"spec":{"devices":{}}`))
	}
	small := create("v1alpha2", classic()).Body
	many := Claim("v1alpha3", "", fill(requests, repeat("{}", 3*mib)))
	return map[string]Attack{
		"parameters with a depth of 9,000, validated": {
			"/validate",
			reviews.AdmissionIn("v1alpha2", "UPDATE", "", deep(), deep()),
		},
		"15 MiB of a uid, validated": {
			"/validate",
			strings.Replace(small, `"uid":"the-uid"`, `"uid":"`+strings.Repeat("<", 15*mib)+`"`, 1),
		},
		"12 MiB of unknown members of a review": {
			"/validate",
			strings.Replace(small, `"uid":"the-uid"`, repeat(`"a%d":0`, 12*mib)+`,"uid":"the-uid"`, 1),
		},
		"3 MiB of requests, validated": create("v1alpha3", many),
		"3 MiB of requests, defaulted": {
			"/default",
			reviews.AdmissionIn("v1alpha3", "CREATE", "", many, "null"),
		},
		"3 MiB of finalizers":                inMetadata(`,"finalizers":[` + repeat(`"a"`, 3*mib) + `]`),
		"3 MiB of owners":                    inMetadata(`,"ownerReferences":[` + repeat(`{}`, 3*mib) + `]`),
		"3 MiB of managed fields, validated": inMetadata(`,"managedFields":[` + repeat(`{}`, 3*mib) + `]`),
		"3 MiB of labels":                    inMetadata(`,"labels":{` + repeat(`"a%d":""`, 3*mib) + `}`),
		"3 MiB of terms, validated": {
			"/validate",
			reviews.AdmissionIn("v1alpha2", "UPDATE", "", Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 3*mib))),
				classic()),
		},
	}
}

// Expressions returns attacks on the compiler of selectors.
func Expressions() map[string]Attack {
	return map[string]Attack{
		"a regular expression of 22 KB": create("v1alpha3",
			withSelectors(`device.driver.matches('`+strings.Repeat("a{1000}", 3200)+`')`, 1)),
		"nested expressions": create("v1alpha3",
			withSelectors(strings.Repeat("[", 240)+strings.Repeat("]", 240)+" == []", 12)),
	}
}
