package migrate

import (
	"cmp"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// objectOf returns a document as JSON, with the last value of each duplicate key. If strict is set, a duplicate key is
// an error. Otherwise each is reported as a warning, because the API server may reject it, and the first is returned.
func (c *Converter) objectOf(d *yamldoc.Document, strict bool, r *Result) (object []byte, duplicate, err error) {
	keys := duplicateKeys{location: locationOf(d), header: func() conversion.Header { return findings.HeaderOf(d) }}
	object, err = d.WithoutDuplicates(keys.add)
	if strict {
		return object, nil, cmp.Or(err, keys.first)
	}
	r.report(keys.warnings()...)
	return object, keys.first, err
}

// reportDuplicates reports the duplicate keys of a document as warnings, and returns the first one, or nil. If the
// document cannot be read as an object, the caller finds out when it reads it.
func (c *Converter) reportDuplicates(d *yamldoc.Document, r *Result) (duplicate error) {
	_, duplicate, _ = c.objectOf(d, false, r)
	return duplicate
}

// itemWithoutDuplicateKeys is objectOf for an item of a list of JSON. ok is false if the item fails.
func (c *Converter) itemWithoutDuplicateKeys(in location, object []byte, r *Result) (unique []byte, ok bool) {
	keys := duplicateKeys{location: in, header: func() conversion.Header { return headerOf(object) }}
	unique = yamldoc.WithoutDuplicates(object, keys.add)
	if keys.first != nil && c.Validate {
		r.fail(in.subject(keys.header()).FromConversionError(keys.first)...)
		return nil, false
	}
	r.report(keys.warnings()...)
	r.duplicate = cmp.Or(r.duplicate, keys.first)
	return unique, true
}

// duplicateKeys collects the duplicate keys of an object.
type duplicateKeys struct {
	location location
	header   func() conversion.Header // of the object, which is read only if there is a duplicate key
	first    error
	all      []*yamldoc.LocationError
}

func (k *duplicateKeys) add(e *yamldoc.LocationError) {
	k.first = cmp.Or(k.first, error(e))
	k.all = append(k.all, e)
}

// warnings returns the warnings about the keys.
func (k *duplicateKeys) warnings() (all []findings.Finding) {
	if len(k.all) == 0 {
		return nil
	}
	subject := k.location.subject(k.header())
	for _, e := range k.all {
		all = append(all, subject.FromDuplicateKey(e))
	}
	return all
}
