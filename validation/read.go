package validation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion"
)

const (
	claimKind    = api.KindClaim
	templateKind = api.KindTemplate
)

// read decodes the objects of a request. Objects of any API group are taken, since a claim's CRD may be served under
// another one.
func read(r Request) (*write, error) {
	if occasionOf(r.Operation) == 0 {
		return nil, fmt.Errorf("operation %q is none of %s, %s, %s, %s", r.Operation, Create, Update, UpdateStatus, Delete)
	}
	if len(r.Object) == 0 {
		return nil, fmt.Errorf("%s without an object", r.Operation)
	}
	if r.Operation == Create && len(r.OldObject) > 0 {
		return nil, errors.New("CREATE with an old object")
	}
	if r.Operation != Create && len(r.OldObject) == 0 {
		return nil, fmt.Errorf("%s without an old object", r.Operation)
	}
	w := &write{op: r.Operation}
	var err error
	if w.version, w.kind, err = versionAndKind(r.Object); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	if r.OldObject != nil {
		version, kind, err := versionAndKind(r.OldObject)
		if err != nil {
			return nil, fmt.Errorf("old object: %w", err)
		}
		if version != w.version || kind != w.kind {
			return nil, fmt.Errorf("the old object is a %s of %s, the new one a %s of %s", kind, version, w.kind, w.version)
		}
	}
	w.metadataPath, w.specPath, w.nodesPath = metadataPath, specPath, classicNodesPath
	if w.kind == templateKind {
		if r.Operation == UpdateStatus {
			return nil, errors.New("a ResourceClaimTemplate has no status to update")
		}
		w.metadataPath, w.specPath = templateMetadataPath, templateSpecPath
	}
	if w.version == v1alpha3.GroupVersion.Version {
		w.nodesPath = structuredNodesPath
	}
	if r.OldObject != nil {
		if w.old, err = readObject(r.OldObject, w.version, w.kind); err != nil {
			return nil, &unreadable{err}
		}
	}
	if w.new, err = readObject(r.Object, w.version, w.kind); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	w.sentOld, w.sentNew = w.old.sent, w.new.sent
	return w, nil
}

func versionAndKind(data []byte) (version, kind string, err error) {
	header, err := conversion.ReadHeader(data)
	if err != nil {
		return "", "", err
	}
	if !slices.Contains(conversion.Versions(), header.Version) {
		return "", "", fmt.Errorf("apiVersion: no rules for %.100q, only for %s",
			header.APIVersion(), strings.Join(conversion.Versions(), ", "))
	}
	if header.Kind != claimKind && header.Kind != templateKind {
		return "", "", fmt.Errorf("kind: %.100q is neither %s nor %s", header.Kind, claimKind, templateKind)
	}
	return header.Version, header.Kind, nil
}

func readObject(data []byte, version, kind string) (object, error) {
	row, _ := api.Find(version)
	switch version {
	case v1alpha1.GroupVersion.Version:
		if kind == claimKind {
			return readAs(data, row, kind, objectOfV1alpha1)
		}
		return readAs(data, row, kind, templateOfV1alpha1)
	case v1alpha2.GroupVersion.Version:
		if kind == claimKind {
			return readAs(data, row, kind, objectOfV1alpha2)
		}
		return readAs(data, row, kind, templateOfV1alpha2)
	}
	if kind == claimKind {
		return readAs(data, row, kind, objectOfV1alpha3)
	}
	return readAs(data, row, kind, templateOfV1alpha3)
}

// readAs decodes one type and takes it apart.
func readAs[T any](data []byte, version api.Version, kind string, parts func(*T) object) (object, error) {
	var typed T
	sent, dropped, err := decode(data, &typed)
	if err != nil {
		return object{}, err
	}
	o := parts(&typed)
	o.sent = sent
	if dropped {
		o.later = laterFields(data, version, kind)
	}
	return o, nil
}
