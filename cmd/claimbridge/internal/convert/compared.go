package convert

import (
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
type compared [sorts]struct {
	all     []one
	ignored int
}

// sorts of objects that are compared.
const (
	oldClasses = iota
	newClasses
	parameters
	references     // claims that name parameters
	admins         // claims with adminAccess
	labelled       // namespaces that allow it
	objects        // of files, by which a name may be there twice
	kustomizations // of files
	sorts
)

type one struct {
	at manifest.Position
	conversion.Header
	driver string            // of a ResourceClass
	refers conversion.Header // of a claim: the object of parameters that it names, which is in its namespace
}

func (c *compared) add(sort int, o one) {
	if len(c[sort].all) == maxCompared {
		c[sort].ignored++
		return
	}
	c[sort].all = append(c[sort].all, o)
}

func (c *compared) take(from *compared) {
	for sort := range from {
		for _, o := range from[sort].all {
			c.add(sort, o)
		}
		c[sort].ignored += from[sort].ignored
	}
}

// ofDriver are those kinds of parameters that can be nothing else, by the names that drivers gave them.
var ofDriver = regexp.MustCompile(`(Claim|Class)Parameters$`)

// note a class or an object of parameters.
func (c *compared) note(at manifest.Position, h conversion.Header, object *tree) {
	switch h.Kind {
	case oldClass:
		c.add(oldClasses, one{at: at, Header: h, driver: object.textOf("driverName")})
	case newClass:
		c.add(newClasses, one{at: at, Header: h})
	default:
		c.add(parameters, one{at: at, Header: h})
	}
}

// refer notes what object of parameters a claim names.
func (c *compared) refer(at manifest.Position, h conversion.Header, claim []byte) {
	ref := specOf(treeOf(claim), h.Kind).member("parametersRef")
	group, _, _ := strings.Cut(ref.textOf("apiGroup"), "/") // some wrote a version, too
	c.add(references, one{at: at, Header: h, refers: conversion.Header{Group: group, Kind: ref.textOf("kind"), Namespace: h.Namespace, Name: ref.textOf("name")}})
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
	for _, tooMany := range []struct {
		what string
		a, b int
	}{
		{"classes", oldClasses, newClasses},
		{"objects of parameters, or claims that name one", parameters, references},
		{"claims, classes and kustomizations in files", objects, kustomizations},
		{"claims that ask for adminAccess, or namespaces that allow it", admins, labelled},
	} {
		if ignored := c[tooMany.a].ignored + c[tooMany.b].ignored; ignored > 0 {
			p.Text(finding.Place{}, problems.What{Rule: finding.TooManyToCompare, Text: fmt.Sprintf(
				"there are more than %d %s, %d of them were not compared", maxCompared, tooMany.what, ignored)})
		}
	}
}

// classes that lack one of the kind that converted claims ask for.
func (c *compared) classes(to string, p *problems.Log) {
	have, need, kind, behind := oldClasses, newClasses, newClass, finding.ResourceClassOfAnotherVersion
	if !api.HasDevices(to) {
		have, need, kind, behind = newClasses, oldClasses, oldClass, finding.DeviceClassOfAnotherVersion
	}
	names := map[string]bool{}
	for _, o := range c[need].all {
		names[o.Name] = true
	}
	for _, o := range c[have].all {
		what := problems.What{Rule: finding.Classes, Text: fmt.Sprintf(
			"passes through as %s, and there is no %s of this name in the input, for which claims of %s ask; write one", o.Version, kind, to) + o.proposal(to)}
		if names[o.Name] {
			what = problems.What{Rule: behind, Text: fmt.Sprintf(
				"passes through as %s, and a server of %s has no such kind; the %s of this name took its place, so take this one away", o.Version, to, kind)}
		}
		p.Advise(o.at, o.Header, what)
	}
}

// plainName needs no quotes anywhere.
var plainName = regexp.MustCompile(`^[a-z]([a-z0-9.-]*[a-z0-9])?$`)

// proposal of a DeviceClass for a ResourceClass. Drivers were often renamed at that time, so nobody can write it but a person.
func (o one) proposal(to string) string {
	if !plainName.MatchString(o.driver) || !plainName.MatchString(o.Name) {
		return ""
	}
	return fmt.Sprintf(`, with the name that the driver has now: {apiVersion: %s/%s, kind: %s, metadata: {name: %s}, `+
		`spec: {selectors: [{cel: {expression: 'device.driver == "%s"'}}]}}`, api.Group, to, newClass, o.Name, o.driver)
}

// parametersObjects that claims name, or that are called as drivers called them.
func (c *compared) parametersObjects(to string, p *problems.Log) {
	claims := map[conversion.Header][]one{}
	for _, o := range c[references].all {
		claims[o.refers] = append(claims[o.refers], o)
	}
	for _, o := range c[parameters].all {
		by := claims[conversion.Header{Group: o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}]
		text, more := "is named by no claim in the input, and no driver of "+to+" reads it; take it away when claims and classes say what it does", ""
		if len(by) == 0 && (o.Group == api.Group || !ofDriver.MatchString(o.Kind)) {
			continue
		}
		if len(by) > 1 {
			more = fmt.Sprintf(" and %d more", len(by)-1)
		}
		if len(by) > 0 {
			text = fmt.Sprintf("is what parametersRef of %s (%s)%s names, and no driver of %s reads; write what it says into the claim", by[0].Header, by[0].at, more, to)
		}
		p.Advise(o.at, o.Header, problems.What{Rule: finding.ParametersObject, Text: text})
	}
}
