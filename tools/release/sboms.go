package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// writeSBOMs writes a bill of materials for each archive, in the CycloneDX format. It lists the modules of the program,
// which are read from the program itself, like `go version -m`.
func (r *release) writeSBOMs(context.Context) error {
	for _, a := range r.archives {
		bom, err := r.bom(a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		var text bytes.Buffer
		encoder := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
		if err := encoder.EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
			return err
		}
		if err := r.addFile(a.name+".cdx.json", text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// bom returns the bill of materials of an archive.
func (r *release) bom(a archive) (*cdx.BOM, error) {
	modulesByID := map[string]module{}
	for _, m := range a.modules {
		modulesByID[m.path+"@"+m.version] = m
	}
	archiveComponent := cdx.Component{
		BOMRef:             a.name,
		Type:               cdx.ComponentTypeApplication,
		Name:               program,
		Version:            r.version,
		Licenses:           spdx([]string{"Apache-2.0"}),
		ExternalReferences: &[]cdx.ExternalReference{{Type: cdx.ERTypeVCS, URL: repository}},
		Properties: &[]cdx.Property{
			{Name: "claimbridge:commit", Value: r.source.revision},
			{Name: "claimbridge:platform", Value: a.platform},
		},
	}
	name := programFileName(a.platform)
	content, err := os.ReadFile(r.programPath(a.platform))
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	components := []cdx.Component{{
		BOMRef:   name,
		Type:     cdx.ComponentTypeApplication,
		Name:     name,
		Version:  r.version,
		Licenses: spdx([]string{"Apache-2.0"}),
		Hashes:   &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sumOf(content)}},
	}}
	modules := []string{"std@" + strings.TrimPrefix(info.GoVersion, "go")}
	for _, m := range info.Deps {
		if m.Replace != nil && !r.allowUncommitted {
			return nil, fmt.Errorf("go.mod replaces %s: a release may only use modules that can be downloaded: "+
				"tag the bridge first, as in step 4 of \"Make a release\" in CONTRIBUTING.md", m.Path)
		}
		modules = append(modules, m.Path+"@"+m.Version)
	}
	slices.Sort(modules)
	dependencies := []string{}
	for _, id := range modules {
		m, isKnown := modulesByID[id]
		if !isKnown {
			return nil, fmt.Errorf("licenses.go found no license of module %s", id)
		}
		purl := "pkg:golang/" + id
		dependencies = append(dependencies, purl)
		components = append(components, cdx.Component{
			BOMRef:     purl,
			Type:       cdx.ComponentTypeLibrary,
			Name:       m.path,
			Version:    m.version,
			PackageURL: purl,
			Licenses:   spdx(m.licenses),
		})
	}
	bom := cdx.NewBOM()
	// The serial number is derived from the URL of the archive and the commit, so that builds are reproducible.
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(r.url(a.name)+"#"+r.source.revision)).URN()
	bom.Metadata = &cdx.Metadata{Timestamp: r.source.time.Format(time.RFC3339), Component: &archiveComponent}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{
		{Ref: archiveComponent.BOMRef, Dependencies: &[]string{name}},
		{Ref: name, Dependencies: &dependencies},
	}
	return bom, nil
}

// spdx returns the CycloneDX licenses for SPDX identifiers.
func spdx(ids []string) *cdx.Licenses {
	var choices cdx.Licenses
	for _, id := range ids {
		choices = append(choices, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return &choices
}
