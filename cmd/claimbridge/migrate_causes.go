package main

import (
	"strings"

	"github.com/claimbridge/claimbridge/webhook/migration"
)

// migrateCauses are those that were told, with the object that had each first. Thousands of objects may have the same.
type migrateCauses map[string]string

// maxCauses that are kept. Beyond, each is told in full.
const maxCauses = 1000

// of a failure, or the object that failed for the same cause.
func (c migrateCauses) of(f migration.Failure) string {
	text := f.Err.Error()
	cause := strings.NewReplacer(f.Namespace+"/"+f.Name, "", `"`+f.Name+`"`, "").Replace(text)
	if first, told := c[cause]; told {
		return "the same as " + first
	}
	if len(c) < maxCauses {
		c[cause] = f.Namespace + "/" + f.Name
	}
	return text
}
