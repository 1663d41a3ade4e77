package main

import (
	"fmt"
	"os"
	"strings"
)

const (
	tableBegins = "<!-- the table begins; make bench BENCHFLAGS=--update-docs writes it -->\n"
	tableEnds   = "<!-- the table ends -->\n"
)

// updateDocs puts the table between its marks.
func updateDocs(file, table string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(content), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return fmt.Errorf("%s: the marks around the table are gone:\n%s%s", file, tableBegins, tableEnds)
	}
	return os.WriteFile(file, []byte(before+tableBegins+"\n"+table+"\n"+tableEnds+after), 0o644)
}
