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

// makeBills of materials, one for each archive, in CycloneDX: of which modules its program is made.
// That is read from the program itself, as go version -m does.
func (r *release) makeBills(context.Context) error {
	for _, a := range r.built {
		bill, err := r.bill(a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		var text bytes.Buffer
		encoder := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
		if err := encoder.EncodeVersion(bill, cdx.SpecVersion1_6); err != nil {
			return err
		}
		if err := r.put(a.name+".cdx.json", text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) bill(a archive) (*cdx.BOM, error) {
	known := map[string]linked{}
	for _, m := range a.modules {
		known[m.path+"@"+m.version] = m
	}
	whole := cdx.Component{
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
	name := programOf(a.platform)
	content, err := os.ReadFile(r.file(a.platform))
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
		if m.Replace != nil && !r.uncommitted {
			return nil, fmt.Errorf("go.mod replaces %s: a release may only use modules that can be downloaded. "+
				"docs/releases.md says how to release the bridge", m.Path)
		}
		modules = append(modules, m.Path+"@"+m.Version)
	}
	slices.Sort(modules)
	needs := []string{}
	for _, id := range modules {
		m, ok := known[id]
		if !ok {
			return nil, fmt.Errorf("it has %s, whose license was not looked for", id)
		}
		url := "pkg:golang/" + id
		needs = append(needs, url)
		components = append(components, cdx.Component{
			BOMRef:     url,
			Type:       cdx.ComponentTypeLibrary,
			Name:       m.path,
			Version:    m.version,
			PackageURL: url,
			Licenses:   spdx(m.licenses),
		})
	}
	bill := cdx.NewBOM()
	// The same number for the same archive, as it should be.
	bill.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(r.url(a.name)+"#"+r.source.revision)).URN()
	bill.Metadata = &cdx.Metadata{Timestamp: r.source.time.Format(time.RFC3339), Component: &whole}
	bill.Components = &components
	bill.Dependencies = &[]cdx.Dependency{
		{Ref: whole.BOMRef, Dependencies: &[]string{name}},
		{Ref: name, Dependencies: &needs},
	}
	return bill, nil
}

func spdx(ids []string) *cdx.Licenses {
	var all cdx.Licenses
	for _, id := range ids {
		all = append(all, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return &all
}
