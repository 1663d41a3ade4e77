package cel

import "testing"

// 1.38 limits the size of a type and of the parts of a URL.
func TestCostsOfTypesAndURLs(t *testing.T) {
	const url = `url(device.attributes["a"].b)`
	for expression, since := range map[string]int{
		`type(device.driver) == string`:                 38,
		`type(device.attributes["a"].b) != int`:         38,
		url + `.getHost().matches("a.*")`:               38,
		url + `.getHostname() == "a"`:                   oldest,
		url + `.getScheme().contains("http")`:           38,
		url + `.getPort().matches("80+")`:               38,
		url + `.getEscapedPath().matches("/a/.*")`:      38,
		url + `.getQuery().size() > 0`:                  oldest,
		`url("https://a.example.com").getHost() == "a"`: oldest,
	} {
		for release := oldest + 1; release <= newest; release++ { // 1.31 has no limit
			result, _ := compile(source{expression: expression, release: release})
			if want := release < since; result.ExceedsCost != want || !want && result.Type != "" {
				t.Errorf("1.%d: %s is too costly is %v, want %v: %s", release, expression, result.ExceedsCost, want,
					result.Detail)
			}
		}
	}
}
