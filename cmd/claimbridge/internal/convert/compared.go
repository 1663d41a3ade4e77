package convert

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
)

// maxCompared of each sort; each costs some 300 bytes until the end of the input. A cluster has a few classes.
const maxCompared = 10_000

// compared is what is looked at when all is read, as it may stand anywhere in the input.
//
// A converted claim goes on naming its class, but what class that is changed with v1alpha3: a ResourceClass before, a DeviceClass
// since. And it may have named an object of parameters, that nobody reads since.
type compared struct {
	old, new, parameters, references list
	admins, labelled                 list // claims with adminAccess, and namespaces that allow it
	objects, kustomizations          list // of files, by which a name may be there twice
}

// list of objects, bounded.
type list struct {
	all     []one
	ignored int
}

type one struct {
	at manifest.Position
	conversion.Header
	driver string    // of a ResourceClass
	refers reference // of a claim
}

// reference to an object of parameters, which is in the namespace of the claim.
type reference struct{ group, kind, namespace, name string }

func (l *list) add(o one) {
	if len(l.all) == maxCompared {
		l.ignored++
		return
	}
	l.all = append(l.all, o)
}

func (l *list) take(from *list) {
	for _, o := range from.all {
		l.add(o)
	}
	l.ignored += from.ignored
}

const (
	oldClass = "ResourceClass"
	newClass = "DeviceClass"
)

func (c *converter) isClass(apiVersion, kind string) bool {
	return (kind == oldClass || kind == newClass) && c.groups.Names(apiVersion) && strings.Contains(apiVersion, "/")
}

// isParameters tells kinds that a parametersRef may name: all that drivers had are called so.
func isParameters(kind string) bool { return strings.HasSuffix(kind, "Parameters") }

// ofDriver are those kinds of parameters that can be nothing else, by the names that drivers gave them.
var ofDriver = regexp.MustCompile(`(Claim|Class)Parameters$`)

// file notes an object of the group that stands in one by itself, as a whole.
func (p *part) file(at manifest.Position, h conversion.Header, object []byte) {
	if p.inFiles && len(at.Items) == 0 && at.Path == "" && h.Group == api.Group && !bytes.Contains(object, []byte(`"$patch"`)) && !p.patches.Has(at.File) &&
		!manifest.IsMarkdown(at.File) {
		p.compared.objects.add(one{at: at, Header: h})
	}
}

// add an object that is compared.
func (c *compared) add(at manifest.Position, h conversion.Header, object []byte) {
	o := one{at: at, Header: h}
	switch h.Kind {
	case oldClass:
		o.driver = treeOf(object).textOf("driverName")
		c.old.add(o)
	case newClass:
		c.new.add(o)
	default:
		c.parameters.add(o)
	}
}

// refer notes what object of parameters a claim names.
func (c *compared) refer(at manifest.Position, h conversion.Header, claim []byte) {
	ref := specOf(treeOf(claim), h.Kind).member("parametersRef")
	if ref == nil {
		return // it could not be converted
	}
	group, _, _ := strings.Cut(ref.textOf("apiGroup"), "/") // some wrote a version, too
	c.references.add(one{at: at, Header: h, refers: reference{group, ref.textOf("kind"), h.Namespace, ref.textOf("name")}})
}

func (c *compared) take(from *compared) {
	c.old.take(&from.old)
	c.new.take(&from.new)
	c.parameters.take(&from.parameters)
	c.references.take(&from.references)
	c.admins.take(&from.admins)
	c.labelled.take(&from.labelled)
	c.objects.take(&from.objects)
	c.kustomizations.take(&from.kustomizations)
	*from = compared{}
}

// advise on what lacks a counterpart, and on what has one that it should not need.
func (c *compared) advise(target release.Target, p *problems.Log) {
	p.Locate = nil
	to := target.Version
	c.classes(to, p)
	c.adminAccess(target, p)
	c.sameObjects(to, p)
	if api.HasDevices(to) {
		c.parametersObjects(to, p)
	}
	tooMany := func(what string, ignored int) {
		if ignored > 0 {
			p.Text(finding.Place{}, problems.What{Rule: finding.TooManyToCompare, Text: fmt.Sprintf("there are more than %d %s, %d of them were not compared", maxCompared, what, ignored)})
		}
	}
	tooMany("classes", c.old.ignored+c.new.ignored)
	tooMany("objects of parameters, or claims that name one", c.parameters.ignored+c.references.ignored)
	tooMany("claims, classes and kustomizations in files", c.objects.ignored+c.kustomizations.ignored)
	tooMany("claims that ask for adminAccess, or namespaces that allow it", c.admins.ignored+c.labelled.ignored)
}

// classes that lack one of the kind that converted claims ask for.
func (c *compared) classes(to string, p *problems.Log) {
	have, need, kind, behind := c.old, c.new, newClass, finding.ResourceClassOfAnotherVersion
	if !api.HasDevices(to) {
		have, need, kind, behind = c.new, c.old, oldClass, finding.DeviceClassOfAnotherVersion
	}
	names := map[string]bool{}
	for _, o := range need.all {
		names[o.Name] = true
	}
	for _, o := range have.all {
		if names[o.Name] {
			p.Advise(o.at, o.Header, problems.What{Rule: behind, Text: fmt.Sprintf(
				"passes through as %s, and a server of %s has no such kind; the %s of this name took its place, so take this one away", o.Version, to, kind)})
		} else {
			p.Advise(o.at, o.Header, problems.What{Rule: finding.Classes, Text: fmt.Sprintf(
				"passes through as %s, and there is no %s of this name in the input, for which claims of %s ask; write one", o.Version, kind, to) + o.proposal(to)})
		}
	}
}

// plainName needs no quotes anywhere.
var plainName = regexp.MustCompile(`^[a-z]([a-z0-9.-]*[a-z0-9])?$`)

// proposal of a DeviceClass for a ResourceClass. Drivers were often renamed at that time, so nobody can write it but a person.
func (o one) proposal(to string) string {
	if !plainName.MatchString(o.driver) || !plainName.MatchString(o.Name) {
		return ""
	}
	return fmt.Sprintf(`, with the name that the driver has now: {apiVersion: %s/%s, kind: %s, metadata: {name: %s}, spec: {selectors: [{cel: {expression: 'device.driver == "%s"'}}]}}`,
		api.Group, to, newClass, o.Name, o.driver)
}

// parametersObjects that claims name, or that are called as drivers called them.
func (c *compared) parametersObjects(to string, p *problems.Log) {
	claims := map[reference][]one{}
	for _, o := range c.references.all {
		claims[o.refers] = append(claims[o.refers], o)
	}
	for _, o := range c.parameters.all {
		by := claims[reference{o.Group, o.Kind, o.Namespace, o.Name}]
		text := "is named by no claim in the input, and no driver of " + to + " reads it; take it away when claims and classes say what it does"
		if len(by) == 0 && (o.Group == api.Group || !ofDriver.MatchString(o.Kind)) {
			continue
		}
		if len(by) > 0 {
			more := ""
			if len(by) > 1 {
				more = fmt.Sprintf(" and %d more", len(by)-1)
			}
			text = fmt.Sprintf("is what parametersRef of %s (%s)%s names, and no driver of %s reads; write what it says into the claim", by[0].Header, by[0].at, more, to)
		}
		p.Advise(o.at, o.Header, problems.What{Rule: finding.ParametersObject, Text: text})
	}
}
