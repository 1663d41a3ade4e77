package conversion

import "strings"

// ignored is a leftover that could not be used.
type ignored struct {
	kind       partKind
	field, why string
	stale      bool // well-formed, but completing something else
}

// isKey tells whether an annotation is one of ours, of whatever step.
func isKey(name string) bool {
	return strings.HasPrefix(name, domain+"/") && strings.Contains(name, "-not-in-")
}

// sweep removes what is ours and was not consumed, at the end of the chain.
func (c *carriage) sweep() {
	c.meta.Annotations.DeleteFunc(func(key string) bool {
		if isKey(key) {
			c.ignore(ignored{kind: specPart, field: c.path + "annotations[" + key + "]", why: "no step of the conversion consumes it; remove it"})
		}
		return isKey(key)
	})
}

func (c *carriage) ignore(i ignored) {
	c.ignored = append(c.ignored, i)
	into := &c.report.Ignored
	if i.stale && i.kind == statusPart {
		into = &c.report.Stale
	}
	*into = append(*into, i.field+": "+i.why)
}
