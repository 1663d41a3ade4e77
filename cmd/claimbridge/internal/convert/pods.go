package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// hasPodClaims reports whether a text may hold a pod that uses claims, which most do not.
func hasPodClaims(text []byte) bool { return bytes.Contains(text, []byte(podClaims)) }

const podClaims = "resourceClaims"

// podClaim is where a pod names a claim or a template. Up to Kubernetes 1.30 that is below source. Pods are found by this
// shape, in whatever kind of object they or their templates are. What is in a kind of somebody's own, and neither has containers beside it
// nor is the spec of a template, may be anything: the values of a chart, or parameters of a driver. That is told, and stays.
type podClaim struct {
	path   string // of the first field that is in the wrong place
	change        // to what it is elsewhere; none when both places are taken, or more is in them than is known
	fixed  bool
}

// wrongPodClaims are those of an object that name their claims in the way of releases that have not that form.
func wrongPodClaims(object []byte, apiVersion string, flat bool) []podClaim {
	if !hasPodClaims(object) {
		return nil
	}
	s := podSearch{object: object, flat: flat, workload: isWorkload(apiVersion)}
	s.look(treeOf(object), "")
	return s.found
}

// podSearch walks over an object.
type podSearch struct {
	object         []byte
	flat, workload bool
	found          []podClaim
}

// look at a value, which may be a pod's spec: it has containers, or its place is that of one.
func (s *podSearch) look(t *tree, above string) {
	var own []int
	isPod := above == "template" && t.name == "spec"
	for _, c := range t.children {
		if c.name != podClaims || c.is != '[' {
			isPod = isPod || c.name == "containers" && c.is == '['
			s.look(c, t.name)
			continue
		}
		for _, entry := range c.children {
			if field, with, fixed := movedNames(s.object[entry.begin:entry.end], s.flat); field != "" {
				own = append(own, len(s.found))
				s.found = append(s.found, podClaim{entry.path + "." + field, change{entry.begin, entry.end, with}, fixed})
			}
		}
	}
	for _, i := range own {
		s.found[i].fixed = s.found[i].fixed && (s.workload || isPod)
	}
}

// isWorkload reports whether a group is one of Kubernetes' own that has pods, and in which nothing else has their claims. A patch of
// these may leave out the containers.
func isWorkload(apiVersion string) bool {
	group, _, named := strings.Cut(apiVersion, "/")
	return !named || group == "apps" || group == "batch"
}

const podSource = "source"

func isPodClaimName(name string) bool {
	return name == "resourceClaimName" || name == "resourceClaimTemplateName"
}

// movedNames of an entry of a pod's claims: the field that is in the wrong place, empty when there is none, and the entry with the
// names where they belong.
func movedNames(entry []byte, flat bool) (field string, moved []byte, fixed bool) {
	members, twice, err := kjson.Members(entry)
	if err != nil {
		return "", nil, false // it is no entry of a pod
	}
	source, twiceBelow, err := kjson.Members(kjson.Get(members, podSource))
	if err != nil {
		return "", nil, false
	}
	wrong, others, right := source, 0, members
	if !flat {
		wrong, right = members, source
	}
	var names []kjson.Member
	for _, m := range wrong {
		switch {
		case isPodClaimName(m.Name) && len(m.Value) > 0 && m.Value[0] == '"':
			names = append(names, m)
		case flat:
			others++
		}
	}
	if len(names) == 0 {
		return "", nil, false
	}
	for _, m := range right {
		if isPodClaimName(m.Name) {
			others++
		}
	}
	if field = podSource; !flat {
		field = names[0].Name
	}
	if others+len(twice)+len(twiceBelow) > 0 || !flat && kjson.Find(members, podSource) >= 0 {
		return field, nil, false
	}
	return field, placed(members, names, flat), true
}

// placed has names beside that of an entry, in the place of source, or below source, in the place of the first of them.
func placed(members, names []kjson.Member, flat bool) []byte {
	out, done := []byte{'{'}, false
	put := func(m kjson.Member) { out = append(kjson.AppendName(out, m.Name), m.Value...) }
	for _, m := range members {
		switch {
		case flat && m.Name == podSource:
			for _, name := range names {
				put(name)
			}
		case !flat && isPodClaimName(m.Name) && !done:
			done = true
			below := []byte{'{'}
			for _, name := range names {
				below = append(kjson.AppendName(below, name.Name), name.Value...)
			}
			put(kjson.Member{Name: podSource, Value: append(below, '}')})
		case !flat && isPodClaimName(m.Name):
		default:
			put(m)
		}
	}
	return append(out, '}')
}

// adviceOnPods says what to do about those that could not be fixed; it has no text when there are none.
func adviceOnPods(found []podClaim, flat bool) problems.What {
	left := slices.DeleteFunc(slices.Clone(found), func(c podClaim) bool { return c.fixed })
	if len(left) == 0 {
		return problems.What{}
	}
	others, text := "", "Kubernetes 1.31 and later do not have this field; write what is in it beside the name"
	if len(left) > 1 {
		others = fmt.Sprintf(" (and %d more)", len(left)-1)
	}
	if !flat {
		text = "Kubernetes 1.30 and earlier have this field below source"
	}
	return problems.What{Rule: finding.PodClaims, Field: left[0].path, Text: left[0].path + others + ": " + text, Message: text + others}
}

// ofFixedPod is what reports get to know.
func ofFixedPod(c podClaim, flat bool) problems.What {
	if flat {
		return problems.At(finding.PodClaims, c.path, "what is in it is written beside the name, where Kubernetes 1.31 and later have it")
	}
	return problems.At(finding.PodClaims, c.path, "is written below source, where Kubernetes 1.30 and earlier have it")
}
