package caller

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

const nodePrefix = "system:node:"

// fixedGroups of a name that only a service account or a node may have, by the same tests as the cluster's. Constrained impersonation takes
// such a name alone and gives it these groups. Whoever has the name with other groups is no such account, but, say, a certificate that
// somebody signed for it, and would gain or lose groups on the way.
func fixedGroups(name string) (groups []string, isFixed bool) {
	if namespace, _, err := serviceaccount.SplitUsername(name); err == nil {
		return serviceaccount.MakeGroupNames(namespace), true
	}
	if node, is := strings.CutPrefix(name, nodePrefix); is && len(validation.NameIsDNSSubdomain(node, false)) == 0 {
		return []string{user.NodesGroup}, true
	}
	return nil, false
}

// plain says that a text arrives as it is when it is the value of a header.
func plain(text string) bool {
	return text != "" && text == strings.Trim(text, " \t") && !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f })
}
