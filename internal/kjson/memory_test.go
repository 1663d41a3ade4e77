package kjson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree has lists of one type within each other, which grow by turns.
type tree struct {
	Name string `json:"name,omitempty"`
	Kids []tree `json:"kids,omitempty"`
	More []tree `json:"more,omitempty"`
}

// TestListsOfARoomKeepApart: what a list holds, another one that grows between its items does not write over.
func TestListsOfARoomKeepApart(t *testing.T) {
	many := func(format string) string {
		items := ""
		for i := range 3 * smallSlab {
			items += "," + strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return items[1:]
	}
	var room Room
	for _, text := range []string{
		`{"kids":[` + many(`{"name":"#","kids":[{"name":"a#"},{"name":"b#"}]}`) + `]}`,
		`{"kids":[` + many(`{"name":"#","kids":[{"name":"a#"}],"more":[{"name":"b#","kids":[{"name":"c#"}]},`+
			`{"name":"d#"}]}`) + `]}`,
		`{"kids":[{"name":"a"},{"name":"b"}],"more":[{"name":"c"}],"kids":[` + many(`{"name":"#"}`) + `]}`,
	} {
		for range 2 { // with memory that was used
			var inRoom, alone tree
			_, err := Read([]byte(text), &inRoom, &room)
			_, and := Read([]byte(text), &alone, nil)
			if err != nil || and != nil {
				t.Fatal(err, and)
			}
			if diff := cmp.Diff(alone, inRoom); diff != "" {
				t.Errorf("%.80s... (-alone +in a room):\n%.600s", text, diff)
			}
			room.Reset()
		}
	}
}
