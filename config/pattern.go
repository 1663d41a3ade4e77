package config

import (
	"regexp"
	"sync"
)

// pattern compiles a regular expression when it is first needed: a server that imports this package may never need it.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
