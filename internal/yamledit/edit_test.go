package yamledit_test

import (
	_ "embed"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/internal/yamledit"
)

// texts has strings in all forms of YAML.
//
//go:embed testdata/texts.yaml
var texts string

type edit struct {
	to, desired   string
	before, after string
	stranded      []int
}

// edits are texts and their edited texts. Unless another object is given, the desired object is the claim in another
// version.
var edits = map[string]edit{
	"only the version changes, in its quotes": {
		to: "v1",
		before: `
# head
apiVersion: 'resource.k8s.io/v1beta2'   # version
kind: "ResourceClaim"

metadata:   { name: a }	# a tab before, and	in it
spec: {devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}
`,
		after: `
# head
apiVersion: 'resource.k8s.io/v1'   # version
kind: "ResourceClaim"

metadata:   { name: a }	# a tab before, and	in it
spec: {devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}
`,
	},
	"the first entry after a dash moves, and the dash stays": requests("v1beta1", "v1beta2",
		"- deviceClassName: c  # class first\n  name: mig\n  adminAccess: false\n",
		"- exactly:\n    deviceClassName: c  # class first\n    adminAccess: false\n  name: mig\n"),
	"the first entry after a dash is unwrapped": requests("v1", "v1beta1",
		"- exactly:\n    # why\n    deviceClassName: c\n  name: mig\n",
		"# why\n- deviceClassName: c\n  name: mig\n"),
	"comments above, after and below a piece move with it, and blank lines between pieces": requests("v1beta1", "v1",
		`- name: a

  # about the class
  # in two lines
  deviceClassName: c   # behind
  # below

  count: 2

  allocationMode: ExactCount
  # the end of a
- name: b
  deviceClassName: c
`,
		`- name: a

  exactly:
    # about the class
    # in two lines
    deviceClassName: c   # behind
    # below

    count: 2

    allocationMode: ExactCount
  # the end of a
- name: b
  exactly:
    deviceClassName: c
`),
	"a comment before a blank line belongs to the entry above it": requests("v1beta1", "v1",
		"- name: a\n  # of the name\n\n  deviceClassName: c\n",
		"- name: a\n  # of the name\n\n  exactly:\n    deviceClassName: c\n"),
	"comments of an unwrapped entry are stranded": requests("v1", "v1beta1",
		"- name: a\n  # above\n  exactly: # behind\n    deviceClassName: c\n    # the end\n- name: b\n  exactly:\n   "+
			" deviceClassName: c\n",
		"- name: a\n  # above\n  # behind\n  deviceClassName: c\n  # the end\n- name: b\n  deviceClassName: c\n", 10, 11, 13),
	"blank lines in an unwrapped entry move with the comments between them": requests("v1", "v1beta1",
		`- name: a
  exactly:

    # about the class
    deviceClassName: c   # behind

    # about the rest

    count: 2


    allocationMode: ExactCount
- name: b
  exactly:
    count: 2

    deviceClassName: c
`,
		`- name: a

  # about the class
  deviceClassName: c   # behind

  # about the rest

  count: 2


  allocationMode: ExactCount
- name: b
  count: 2

  deviceClassName: c
`),
	"blank lines move when the first entry after a dash is unwrapped": requests("v1", "v1beta1",
		"- exactly:\n    deviceClassName: c\n\n    # of the count\n    count: 2\n\n  name: mig\n",
		"- deviceClassName: c\n\n  # of the count\n  count: 2\n\n  name: mig\n"),
	"an indentation of four, and indented sequences": {
		to: "v1",
		before: `apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
    name: a
spec:
    devices:
        requests:
          - name: a
            deviceClassName: c
            selectors:
              - cel:
                    expression: "true"
`,
		after: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
    name: a
spec:
    devices:
        requests:
          - name: a
            exactly:
                deviceClassName: c
                selectors:
                  - cel:
                        expression: "true"
`,
	},
	"dashes with several spaces after them": requests("v1beta1", "v1",
		"-   name: a\n    deviceClassName: c\n-   deviceClassName: c\n    name: b\n",
		"-   name: a\n    exactly:\n      deviceClassName: c\n-   exactly:\n      deviceClassName: c\n    name: b\n"),
	"a dash on its own line": requests("v1beta1", "v1",
		"- # one\n  name: a\n  deviceClassName: c\n-\n  deviceClassName: c # two\n  name: b\n",
		"- # one\n  name: a\n  exactly:\n    deviceClassName: c\n-\n  exactly:\n    deviceClassName: c # two\n  "+
			"name: b\n"),
	"flow style stays flow style": {
		to: "v1",
		before: claim("v1beta1",
			"") + "      [{name: g, deviceClassName: c}, { deviceClassName: 'd,e' , \"name\": h }] # flow\n",
		after: claim("v1",
			"") + "      [{name: g, exactly: {deviceClassName: c}}, { exactly: {deviceClassName: 'd,e'} , \"name\": " +
			"h }] # flow\n",
	},
	"two requests with the same name are both edited": requests("v1beta1", "v1",
		"- {name: g, deviceClassName: c} # one\n- {name: g, deviceClassName: d} # two\n",
		"- {name: g, exactly: {deviceClassName: c}} # one\n- {name: g, exactly: {deviceClassName: d}} # two\n"),
	"flow style on several lines, with comments": {
		to: "v1",
		before: claim("v1beta1",
			"") + "      [\n      {name: g, deviceClassName: c},  # one\n      # two\n      {\n        name: h,\n    " +
			"    deviceClassName: d,\n      },\n    ]\n",
		after: claim("v1",
			"") + "      [\n      {name: g, exactly: {deviceClassName: c}},  # one\n      # two\n      {\n        " +
			"name: h,\n        exactly: {\n          deviceClassName: d\n        },\n      },\n    ]\n",
	},
	"flow style becomes a block if it would lose comments": requests("v1beta1", "v1",
		"- {\n    name: a, # one\n    # two\n    deviceClassName: c # three\n  }\n- name: b # four\n  deviceClassName: c\n",
		"- name: a\n  exactly:\n    deviceClassName: c\n# one\n# two\n# three\n- name: b # four\n  exactly:\n    "+
			"deviceClassName: c\n", 10, 11, 12),
	"flow style within a block moves": requests("v1beta1", "v1",
		"- name: a\n  deviceClassName: c\n  selectors: [\n    {cel: {expression: 'a'}}, # one\n  ]\n",
		"- name: a\n  exactly:\n    deviceClassName: c\n    selectors: [\n      {cel: {expression: 'a'}}, # one\n    "+
			"]\n"),
	"a mapping in braces within a block is unwrapped": requests("v1", "v1beta1",
		"- name: a\n  exactly: {deviceClassName: \"c\", count: 2} # exact\n",
		"- name: a\n  # exact\n  deviceClassName: \"c\"\n  count: 2\n", 10),
	"literal, folded and quoted texts keep their value when they move": {
		to:     "v1",
		before: claim("v1beta1", "- name: a\n"+texts),
		after:  claim("v1", "- name: a\n  exactly:\n"+regexp.MustCompile(`(?m)^.`).ReplaceAllString(texts, "  $0")),
	},
	"resourceClassName moves into devices with its comment": {
		to: "v1",
		before: "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n  # the " +
			"class, see wiki\n  resourceClassName: \"c\"   # shared\n",
		after: "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n  devices:\n    " +
			"requests:\n    - name: claim\n      exactly:\n        # the class, see wiki\n        deviceClassName: " +
			"\"c\"   # shared\n",
	},
	"comments of removed entries are stranded at their places": {
		to: "v1alpha3",
		before: "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n  " +
			"resourceClassName: c\n  # above\n  allocationMode: WaitForFirstConsumer # behind\n",
		after: "apiVersion: resource.k8s.io/v1alpha3\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n  " +
			"devices:\n    requests:\n    - name: claim\n      deviceClassName: c\n  # above\n  # behind\n",
		stranded: []int{7, 8},
	},
	"a separator with a comment, and no final line end": {
		to: "v1",
		before: "--- # one\napiVersion: resource.k8s.io/v1beta2\nkind: ResourceClaim\nmetadata: {name: a}\nspec: " +
			"{devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}",
		after: "--- # one\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec: " +
			"{devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}",
	},
	"indented JSON stays indented": {
		to: "v1",
		before: "{\n\t\"apiVersion\": \"resource.k8s.io/v1beta1\",\n\t\"kind\": \"ResourceClaim\",\n\t\"metadata\": " +
			"{\"name\": \"a\"},\n\t\"spec\": {\n\t\t\"devices\": {\n\t\t\t\"requests\": " +
			"[\n\t\t\t\t{\n\t\t\t\t\t\"name\": \"a\",\n\t\t\t\t\t\"deviceClassName\": " +
			"\"\\u0063\"\n\t\t\t\t}\n\t\t\t]\n\t\t}\n\t}\n}\n",
		after: "{\n\t\"apiVersion\": \"resource.k8s.io/v1\",\n\t\"kind\": \"ResourceClaim\",\n\t\"metadata\": " +
			"{\"name\": \"a\"},\n\t\"spec\": {\n\t\t\"devices\": {\n\t\t\t\"requests\": " +
			"[\n\t\t\t\t{\n\t\t\t\t\t\"name\": \"a\",\n\t\t\t\t\t\"exactly\": {\n\t\t\t\t\t\t\"deviceClassName\": " +
			"\"\\u0063\"\n\t\t\t\t\t}\n\t\t\t\t}\n\t\t\t]\n\t\t}\n\t}\n}\n",
	},
	"compact JSON stays compact": {
		to: "v1",
		before: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},` +
			`"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"c"}]}}}`,
		after: `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},` +
			`"spec":{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"c"}}]}}}`,
	},
	"a list whose items change": {
		desired: `{"apiVersion":"v1","kind":"List","items":[{"kind":"A","spec":{"new":1}},{"kind":"B"},{"kind":"C",` +
			`"x":{"z":[1,2,3]}}]}`,
		before: "kind: List # l\napiVersion: v1\nitems:\n# a\n- kind: A\n  spec:\n    old: 1 # gone\n# b\n- kind: " +
			"B # same\n- kind: C\n  x: {z: [1, 3]}\n",
		after: "kind: List # l\napiVersion: v1\nitems:\n# a\n- kind: A\n  spec:\n    new: 1\n    # gone\n# b\n- " +
			"kind: B # same\n- kind: C\n  x: {z: [1, 2, 3]}\n",
		stranded: []int{7},
	},
	"an item that becomes equal to another is not paired with that": {
		desired: `{"a":[{"b":2},{"b":2}]}`,
		before:  "a:\n- b: 1 # one\n- b: 2 # two\n",
		after:   "a:\n- b: 2 # one\n- b: 2 # two\n",
	},
	"a new item has as many spaces after its dash as others": {
		desired: `{"a":[{"b":1},{"b":2,"c":3}]}`,
		before:  "a:\n-   b: 1\n",
		after:   "a:\n-   b: 1\n-   b: 2\n    c: 3\n",
	},
	"the claim name of a pod moves next to the name": {
		desired: `{"spec":{"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"},{"name":"other",` +
			`"resourceClaimName":"shared"}]}}`,
		before: "spec:\n  resourceClaims:\n  - name: gpu   # one\n    source:\n      # by template\n      " +
			"resourceClaimTemplateName: t   # the one above\n  - source: {resourceClaimName: shared} # x\n    name: " +
			"other\n",
		after: "spec:\n  resourceClaims:\n  - name: gpu   # one\n    # by template\n    resourceClaimTemplateName: " +
			"t   # the one above\n  - resourceClaimName: shared # x\n    name: other\n",
	},
	"comments of a pod's claims stay in order": {
		desired: `{"spec":{"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}]}}`,
		before: "spec:\n  resourceClaims:\n  - name: gpu\n    # above source\n    source: # behind source\n\n      " +
			"# above the template\n      resourceClaimTemplateName: t # behind the template\n      # below the " +
			"template\n\n      # the end of source\n    # below source\n",
		after: "spec:\n  resourceClaims:\n  - name: gpu\n    # above source\n    # behind source\n\n    # above " +
			"the template\n    resourceClaimTemplateName: t # behind the template\n    # below the template\n\n    # " +
			"the end of source\n    # below source\n",
		stranded: []int{4, 5, 9, 11},
	},
	"texts that a parser could misread are quoted": {
		desired: `{"a":"yes","b":"1","c":"a: ` +
			`b","d":"x","e":"two\nlines\n","f":"it's","g":"\u2028","h":[],"i":{},"j":null,"k":"é"}`,
		before: "a: x\nb: x # b\nc: 'x'\nd: \"y\"\n",
		after: "a: \"yes\"\nb: \"1\" # b\nc: 'a: b'\nd: \"x\"\ne: |\n  two\n  lines\nf: it's\ng: \"\\L\"\nh: []\ni: " +
			"{}\nj: null\nk: é\n",
	},
	"a value becomes a mapping, a sequence or a scalar": {
		desired:  `{"a":{"b":[1]},"c":"x","d":[{"e":1}],"f":{"g":2}}`,
		before:   "a: x # a\nc:\n  # within\n  z: 1\nd: []  # d\nf: # f\n",
		after:    "a: # a\n  b:\n  - 1\nc: x\n# within\nd:  # d\n- e: 1\nf: # f\n  g: 2\n",
		stranded: []int{3},
	},
}

// requests returns an edit of the requests of a claim between two versions.
func requests(from, to, before, after string, stranded ...int) edit {
	return edit{to: to, before: claim(from, before), after: claim(to, after), stranded: stranded}
}

// claim returns a claim with a list of requests, whose lines are given without indentation.
func claim(version, list string) string {
	text := "# a claim\napiVersion: resource.k8s.io/" + version +
		"\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n  devices:\n    requests:\n"
	for line := range strings.Lines(list) {
		if strings.TrimSpace(line) != "" {
			text += "    "
		}
		text += line
	}
	return text
}

func TestEdit(t *testing.T) {
	for name, e := range edits {
		for _, ends := range []string{"\n", "\r\n"} {
			t.Run(name+map[string]string{"\r\n": " (CRLF)"}[ends], func(t *testing.T) {
				before, after := strings.ReplaceAll(e.before, "\n", ends), strings.ReplaceAll(e.after, "\n", ends)
				desired := []byte(e.desired)
				if e.desired == "" {
					desired = convertTo(t, []byte(before), e.to)
				}
				result, err := yamledit.Edit([]byte(before), desired)
				if err != nil {
					t.Fatalf("%v, for %s", err, desired)
				}
				if diff := cmp.Diff(after, string(result.Text)); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if diff := cmp.Diff(e.stranded, result.Stranded); diff != "" {
					t.Errorf("stranded (-want +got)\n%s", diff)
				}
			})
		}
	}
}

func TestEditRejects(t *testing.T) {
	for name, e := range map[string]struct{ before, desired, why string }{
		"a merge key": {
			"a: &a {b: 1}\nc:\n  <<: *a\n  d: 2 #\ne: 1\n",
			`{"a":{"b":1},"c":{"b":1,"d":2},"e":2}`,
			"line 3: a merge key is not edited",
		},
		"a merge key of a mapping in its place": {
			"c:\n  <<: {b: 1}\ne: 1\n", `{"c":{"b":1},"e":2}`, "line 2: a merge key is not edited",
		},
		"lines that end with a carriage return": {
			"a: |\r  true\re: 1\r", `{"a":"true\n","e":2}`, "a line ends with a carriage return alone",
		},
		"an alias": {
			"a: &a {b: 1}\nc: *a\ne: 1\n", `{"a":{"b":1},"c":{"b":1},"e":2}`,
			"line 2: an alias is not edited",
		},
		"an alias that is a key": {
			"a: &a b\n*a : c\n", `{"a":"b","b":"d"}`, "line 2: an alias is not edited",
		},
		"a removed anchor without an alias": {
			"a: 1\nb: &b # b\n  c: 2\n", `{"a":1,"c":2}`, "line 2: the anchor &b would be lost",
		},
		"a key with a question mark": {
			"? a\n: b: 1\n",
			`{"a":{"b":2}}`,
			"line 1: a key has no colon behind it on its line",
		},
		"a duplicate key": {"a: 1\na: 2\nb: 3\n", `{"a":2,"b":4}`, "a key is duplicated"},
		"a duplicate key in JSON": {
			`{"a":{"b":1,"b":2,"c":1}}`, `{"a":{"b":2,"c":3}}`, "a key is duplicated",
		},
		"a duplicate key in an unchanged value": {
			`{"a":{"b":1,"b":2},"c":1}`,
			`{"a":{"b":2},"c":3}`,
			"the edited text would not be equivalent",
		},
		"a comment in a document in braces": {
			"{a: [\n 1, # one\n 2 ]}\n", `{"a":[2]}`, "line 2: a comment would be lost",
		},
		"invalid YAML":                     {"a: [\n", `{"a":1}`, "is not YAML"},
		"invalid JSON":                     {"{\"a\":\n", `{"a":1}`, "it is not JSON"},
		"comments only":                    {"# nothing\n", `{"a":1}`, "it is not YAML"},
		"a desired array":                  {"a: 1\n", `[1]`, "the converted value is not of the same kind"},
		"a desired object that is invalid": {"a: 1\n", `{"a":`, "it is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := yamledit.Edit([]byte(e.before), []byte(e.desired))
			var rejected *yamledit.NotInPlaceError
			if !errors.As(err, &rejected) || !strings.Contains(err.Error(), e.why) {
				t.Errorf("got %q and error %v", result.Text, err)
			}
		})
	}
}
