package config

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// replacements are the rendered values of fields that depend on group, namespace and image, and their replacements.
// Only whole values are replaced, so that descriptions and other names don't change. A test finds values that are
// missing here.
func (o Options) replacements() map[string]string {
	return map[string]string{
		DefaultGroup:                             scalar(o.Group),
		"--group=" + DefaultGroup:                "--group=" + o.Group,
		"resourceclaims." + DefaultGroup:         "resourceclaims." + o.Group,
		"resourceclaimtemplates." + DefaultGroup: "resourceclaimtemplates." + o.Group,

		DefaultNamespace:                           scalar(o.Namespace),
		DefaultNamespace + "/claimbridge-tls":      o.Namespace + "/claimbridge-tls",
		"claimbridge." + DefaultNamespace + ".svc": "claimbridge." + o.Namespace + ".svc",

		accountCondition(DefaultNamespace): accountCondition(o.Namespace),

		DefaultImage: scalar(o.Image),
	}
}

// accountCondition returns the condition of the admission policy that selects requests of the server's account. It has
// no blanks, so that fieldPattern matches it as one value.
func accountCondition(namespace string) string {
	return `request.userInfo.username=="system:serviceaccount:` + namespace + `:claimbridge"`
}

var (
	// fieldPattern is a line with a plain value: "key: value", "- key: value" or "- value".
	fieldPattern = lazyRegexp(`(?m)^( *(?:- )?(?:[\w./-]+: )?)(\S+)$`)
	// approvalPattern matches an annotation that an API server requires for groups of Kubernetes' own domains, and only
	// for them. Its value continues on lines with a deeper indentation.
	approvalPattern = lazyRegexp(`(?m)^    api-approved\.kubernetes\.io: .*\n(?:      .*\n)*`)
	// groupArgumentPattern matches the argument of the server for the group.
	groupArgumentPattern = lazyRegexp(`(?m)^( *- )--group=.*\n`)
	clientConfigPattern  = lazyRegexp(`(?m)^( *)clientConfig:\n`)
)

// writeOptions returns rendered YAML with the options.
func (o Options) writeOptions(text string) string {
	replacements := o.replacements()
	text = fieldPattern().ReplaceAllStringFunc(text, func(line string) string {
		parts := fieldPattern().FindStringSubmatch(line)
		if value, ok := replacements[parts[2]]; ok {
			return parts[1] + value
		}
		return line
	})
	if !isProtected(o.Group) {
		text = approvalPattern().ReplaceAllString(text, "")
	}
	if o.CABundle != nil {
		text = clientConfigPattern().ReplaceAllString(text,
			"${0}${1}  caBundle: "+base64.StdEncoding.EncodeToString(o.CABundle)+"\n")
	}
	if o.KubernetesRelease != "" {
		text = groupArgumentPattern().ReplaceAllString(text, "${0}${1}--kubernetes-release="+o.KubernetesRelease+"\n")
	}
	return o.restrictVersions(text)
}

// isProtected reports whether a group needs approval, as in k8s.io/apiextensions-apiserver/pkg/apihelpers.
func isProtected(group string) bool {
	return strings.HasSuffix("."+group, ".k8s.io") || strings.HasSuffix("."+group, ".kubernetes.io")
}

// scalar returns a name as a YAML string. Without quotes, 1.2 would be a number, and no a boolean.
func scalar(name string) string {
	isReserved := slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, name)
	startsWithLetter := name[0] >= 'a' && name[0] <= 'z'
	if isReserved || !startsWithLetter {
		return strconv.Quote(name)
	}
	return name
}

// lazyRegexp compiles a regular expression when it is first used, because many programs that import this package never
// use it.
func lazyRegexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
