// Package attack has request bodies that are expensive for the server.
package attack

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// Attack is one body that is made to cost much, and where it goes.
type Attack struct{ Path, Body string }

const mib = 1 << 20

// repeat an item until there are so many bytes; %d in it is a number that grows.
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

// Claim of a version, with more in its metadata and behind it.
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

// nested is JSON so deep, with the members of each object out of order.
func nested(depth, bytes int) string {
	return strings.Repeat(`{"c":"`+strings.Repeat("x", bytes/depth)+`","b":`, depth) + "0" + strings.Repeat(`,"a":0}`,
		depth)
}

// selecting is a claim with expressions that are costly to compile, no two the same.
func selecting(expression string, times int) string {
	items := make([]string, times)
	for i := range items {
		items[i] = fmt.Sprintf(`{"cel":{"expression":"%s || %d == 0"}}`, expression, i)
	}
	return Claim("v1alpha3", "",
		fill(requests, `{"name":"r","deviceClassName":"c","selectors":[`+strings.Join(items, ",")+`]}`))
}

// All attacks.
func All() []Attack {
	all := Conversions()
	maps.Copy(all, Writes())
	maps.Copy(all, Expressions())
	return slices.Collect(maps.Values(all))
}

func down(object string) Attack {
	return Attack{"/convert", reviews.Conversion("resource.k8s.io/v1alpha2", object)}
}

func up(objects string) Attack {
	return Attack{"/convert", reviews.Conversion("resource.k8s.io/v1alpha3", objects)}
}

func create(version, object string) Attack {
	return Attack{"/validate", reviews.AdmissionIn(version, "CREATE", "", object, "null")}
}

// Conversions are attacks on conversion, by what they are made of.
func Conversions() map[string]Attack {
	return map[string]Attack{
		"3 MiB of results":          down(Claim("v1alpha3", "", fill(results, repeat("{}", 3*mib)))),
		"3 MiB of requests":         down(Claim("v1alpha3", "", fill(requests, repeat("{}", 3*mib)))),
		"3 MiB of handles":          up(Claim("v1alpha2", "", fill(handles, repeat("{}", 3*mib)))),
		"12 MiB of results":         down(Claim("v1alpha3", "", fill(results, repeat("{}", 12*mib)))),
		"15 MiB of requests":        down(Claim("v1alpha3", "", fill(requests, repeat("{}", 15*mib)))),
		"12 MiB of unknown members": down(Claim("v1alpha3", "", ","+repeat(`"a%d":0`, 12*mib))),
		"12 MiB of unknown status":  down(Claim("v1alpha3", "", `,"status":{`+repeat(`"a%d":0`, 12*mib)+`}`)),
		"12 MiB of labels":          down(Claim("v1alpha3", `,"labels":{`+repeat(`"a%d":""`, 12*mib)+`}`, "")),
		"as many labels as are read": down(Claim("v1alpha3", `,"labels":{`+repeat(`"a%d":""`, 3*mib)+`}`,
			`,"spec":{"devices":{}}`)),
		"12 MiB of annotations": down(Claim("v1alpha3", `,"annotations":{`+repeat(`"a%d":""`, 12*mib)+`}`,
			"")),
		"12 MiB of managed fields": down(Claim("v1alpha3", `,"managedFields":[`+repeat(`{}`, 12*mib)+`]`,
			`,"spec":{"devices":{}}`)),
		"3 MiB of terms":  up(Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 3*mib)))),
		"15 MiB of terms": up(Claim("v1alpha2", "", fill(nodes, repeat(`{}`, 15*mib)))),
		"3 MiB of expressions of nodes": up(Claim("v1alpha2", "",
			fill(nodes, `{"matchExpressions":[`+repeat(`{}`, 3*mib)+`]}`))),
		"15 MiB of values": up(Claim("v1alpha2", "",
			fill(nodes, `{"matchExpressions":[{"key":"a","values":[`+repeat(`""`, 15*mib)+`]}]}`))),
		"3 MiB of terms, not clean": up(Claim("v1alpha2", "",
			strings.Replace(fill(nodes, repeat(`{}`, 3*mib)), `"driverName"`, `"odd":0,"driverName"`, 1))),
		"3 MiB of results of a handle": up(Claim("v1alpha2", "",
			fill(handles, `{"driverName":"d","structuredData":{"results":[`+repeat(`{}`, 3*mib)+`]}}`))),
		"15 MiB of results that differ": up(Claim("v1alpha2", "", fill(handles, differing(15*mib)))),
		"3 MiB of a status that travels": up(Claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"reservedFor":[{}],`+
				`"claimbridgeLeftover":"v1:{\"reservedFor\":[`+repeat(`{\"uid\":\"%d\"}`,
				3*mib-1024)+`]}"}`)),
		"3 MiB of consumers": down(Claim("v1alpha3", "",
			`,"status":{"reservedFor":[`+repeat(`{}`, 3*mib)+`]}`)),
		"15 MiB of arrays in arrays":      down(Claim("v1alpha3", "", `,"spec":`+strings.Repeat("[", 15*mib))),
		"parameters that nest 9,000 deep": up(deep()),
		"15 MiB of parameters": down(Claim("v1alpha3", "",
			fill(private, `{`+repeat(`"a%d":0`, 15*mib)+`}`))),
		"100,000 objects of two bytes":   up(strings.TrimSuffix(strings.Repeat("{},", 100_000), ",")),
		"15 MiB of objects of two bytes": up(repeat("{}", 15*mib)),
		"15 MiB of small claims":         up(repeat(classic(), 15*mib)),
		"60 MiB of small claims":         up(repeat(classic(), 60*mib)),
		"15 MiB of a uid": {
			"/convert",
			strings.Replace(up(classic()).Body, `"uid":"the-uid"`, `"uid":"`+strings.Repeat("<", 15*mib)+`"`, 1),
		},
	}
}

func classic() string { return Claim("v1alpha2", "", `,"spec":{"resourceClassName":"c"}`) }

func deep() string {
	return Claim("v1alpha2", "",
		fill(handles, `{"driverName":"d","structuredData":{"vendorClassParameters":`+nested(9000, mib)+`}}`))
}

// differing is a handle whose results have parameters of 62 requests, and then again and again
// those of the last one, spelled in another way.
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

// Writes are attacks on admission.
func Writes() map[string]Attack {
	inMetadata := func(more string) Attack {
		return create("v1alpha3", Claim("v1alpha3", more, `,"spec":{"devices":{}}`))
	}
	small := create("v1alpha2", classic()).Body
	many := Claim("v1alpha3", "", fill(requests, repeat("{}", 3*mib)))
	return map[string]Attack{
		"parameters that nest 9,000 deep, validated": {
			"/validate",
			reviews.AdmissionIn("v1alpha2", "UPDATE", "", deep(), deep()),
		},
		"15 MiB of a uid, validated": {
			"/validate",
			strings.Replace(small, `"uid":"the-uid"`, `"uid":"`+strings.Repeat("<", 15*mib)+`"`, 1),
		},
		"12 MiB of odd members of a review": {
			"/validate",
			strings.Replace(small, `"uid":"the-uid"`, repeat(`"a%d":0`, 12*mib)+`,"uid":"the-uid"`, 1),
		},
		"3 MiB of requests, validated": create("v1alpha3", many),
		"3 MiB of requests, completed": {
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

// Expressions are attacks on the compiler of selectors.
func Expressions() map[string]Attack {
	return map[string]Attack{
		"a regular expression of 22 KB": create("v1alpha3",
			selecting(`device.driver.matches('`+strings.Repeat("a{1000}", 3200)+`')`, 1)),
		"expressions that nest": create("v1alpha3",
			selecting(strings.Repeat("[", 240)+strings.Repeat("]", 240)+" == []", 12)),
	}
}
