package objectjson

import (
	"fmt"
	"strings"
	"testing"
)

// A few members are searched one by one, and many have an index.
func TestDuplicateMembers(t *testing.T) {
	for _, n := range []int{2, fewMembers - 1, fewMembers, fewMembers + 1, 2 * fewMembers} {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"m%d":%[1]d`, i))
		}
		last := fmt.Sprintf("m%d", n-1)
		object := []byte("{" + strings.Join(all, ",") + `,"` + last + `":"again"}`)
		members, duplicates, err := Members(object)
		if err != nil || len(members) != n || len(duplicates) != 1 || duplicates[0] != last ||
			string(Get(members, last)) != `"again"` {
			t.Errorf("%d: %d members, %q are there twice, %s, %v", n, len(members), duplicates, Get(members, last), err)
		}
		list := ListMembers(object)
		if len(list.Items) != n || string(list.Get(last)) != `"again"` || list.Get("none") != nil {
			t.Errorf("%d: %d members in a list, %s", n, len(list.Items), list.Get(last))
		}
	}
}
