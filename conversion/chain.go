package conversion

import "cmp"

// links of the chain, oldest first: each joins the version of its place in versions with the next one. Converting
// walks the links between two versions; there is no hub.
var links = []link{
	v1alpha1ToV1alpha2.link(),
	v1alpha2ToV1alpha3.link(),
}

// Versions of the chain, oldest first.
func Versions() []string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.name
	}
	return names
}

// Newest version of the chain: the one to store.
func Newest() string { return versions[len(versions)-1].name }

// place of a version in the chain, or -1.
func place(version string) int {
	for i, v := range versions {
		if v.name == version {
			return i
		}
	}
	return -1
}

// walk converts a claim from one place of the chain to another one. A claim that is refused is walked to the end all the
// same when it is to be inspected.
func walk(c any, from, to int, carried *carriage, o Options) (_ any, refused error) {
	newest := len(versions) - 1
	allocated := versions[from].field(c) != nil
	protected := versions[from].complete(c) && !o.AnnotationsOnly
	carried.openField(versions[from].field(c))
	carried.takeIncomplete()
	if from < to {
		if refused = carried.refuseIncomplete(versions[from].hasSpec(c), allocated); refused != nil && !o.Inspect {
			return nil, refused
		}
		for _, l := range links[from:to] {
			c = l.up(c, carried)
		}
		if refused = cmp.Or(refused, carried.refuseUnusable(to)); refused != nil && !o.Inspect {
			return nil, refused
		}
		if protected {
			carried.protect(links[to:])
		}
	} else {
		if from == newest { // nothing that travels beside an object belongs to a stored one
			carried.missing = incomplete{}
		}
		if protected {
			carried.protect(links[from:])
		}
		for i := from - 1; i >= to; i-- {
			c = links[i].down(c, carried)
		}
	}
	if to == newest {
		carried.sweep()
	}
	if refused != nil {
		return c, refused
	}
	carried.closeField(versions[to].field(c))
	carried.putIncomplete()
	return c, nil
}
